// A room and its story: what it was at any time, by whom, why.
import { useQuery } from "../api/query";
import { useEffect, useState } from "preact/hooks";
import { api, read } from "../api/client";
import type { Room, RoomHistory } from "../api/types";
import { goBack } from "../app/go-back";
import { place } from "../app/router";
import { useStore } from "../app/store";
import { clockTime, dayTime, duration, longDate } from "../i18n/dates";
import { instantOf } from "../i18n/days";
import { t, useLanguage, word } from "../i18n";
import { onNews } from "../live/hub";
import { useNames } from "../live/people";
import { DateField } from "../ui/date-field";
import { Dialog } from "../ui/dialog";
import { Failed, Loading } from "../ui/states";
import { Status, StatusShape } from "../ui/status";
import "./room.css";

export function RoomDrawer() {
  useLanguage();
  const nameOf = useNames();
  const roomId = useStore(place, (now) => now.params.id ?? "");
  const [at, setAt] = useState("");
  const when = at ? instantOf(at).toISOString() : undefined;
  const path = { roomId };
  const room = useQuery({
    queryKey: ["room", roomId],
    queryFn: () => read<Room>(api.GET("/housekeeping/v1/rooms/{roomId}", { params: { path } })),
  });
  const history = useQuery({
    queryKey: ["room-history", roomId, when],
    queryFn: () => read<RoomHistory>(api.GET("/housekeeping/v1/rooms/{roomId}/history", { params: { path, query: when ? { at: when } : {} } })),
  });
  useEffect(
    () =>
      onNews(() => {
        void room.refetch();
        void history.refetch();
      }),
    [roomId],
  );
  const shown = room.data;
  return (
    <Dialog
      drawer
      testid="room-drawer"
      onClose={goBack}
      title={
        <>
          {t("board.column.room")} <bdi>{shown?.number ?? ""}</bdi>
        </>
      }
    >
      {room.isError && <Failed error={room.error} retry={() => void room.refetch()} />}
      {!shown && !room.isError && <Loading count={4} />}
      {shown && (
        <>
          <p class="row">
            <Status status={shown.status} />
            <span class="chip">{word("occupancy", shown.occupancy)}</span>
            {shown.floor !== null && shown.floor !== undefined && <span class="chip">{t("board.floor", { floor: shown.floor })}</span>}
            {shown.roomType && (
              <span class="chip">
                <bdi>{word("roomType", shown.roomType)}</bdi>
              </span>
            )}
          </p>
          <dl class="versus">
            <dt>{t("room.since")}</dt>
            <dd>
              {dayTime(shown.lastFlippedAt)} · {word("cause", shown.lastCause)}
            </dd>
            {shown.lastCleaning && (
              <>
                <dt>{t("room.lastCleaning")}</dt>
                <dd>
                  <bdi>{nameOf(shown.lastCleaning.staffId)}</bdi> · {word("kind", shown.lastCleaning.kind)} · {duration(shown.lastCleaning.durationMinutes)} · {dayTime(shown.lastCleaning.completedAt)}
                </dd>
              </>
            )}
            {shown.lastInspection && (
              <>
                <dt>{t("room.lastInspection")}</dt>
                <dd>
                  <bdi>{nameOf(shown.lastInspection.inspectorStaffId)}</bdi> · {word("outcome", shown.lastInspection.outcome)} · {dayTime(shown.lastInspection.performedAt)}
                  {shown.lastInspection.reason && (
                    <>
                      {" · "}
                      <bdi>{shown.lastInspection.reason}</bdi>
                    </>
                  )}
                </dd>
              </>
            )}
          </dl>
        </>
      )}
      <section class="stack">
        <h3>{t("board.history")}</h3>
        <label class="field">
          <span>{t("room.at")}</span>
          <DateField timed optional label={t("room.at")} testid="history-at" value={at} onValue={setAt} />
        </label>
        {when && history.data?.statusAt && (
          <p class="notice" data-testid="status-at" data-status={history.data.statusAt}>
            {t("room.wasAt", { time: dayTime(when) })} <Status status={history.data.statusAt} />
          </p>
        )}
        {history.isError && <Failed error={history.error} retry={() => void history.refetch()} />}
        {history.isPending && <Loading count={3} />}
        {history.data && !history.data.items.length && <p class="soft">{t("room.noHistory")}</p>}
        <ol class="history">
          {history.data?.items.map((item) => (
            <li key={item.at + item.status} data-testid="history-item" data-status={item.status} data-cause={item.cause}>
              <StatusShape status={item.status} />
              <div>
                <b>{word("roomStatus", item.status)}</b> <span class="soft small">{word("cause", item.cause)}</span>
                <p class="small soft">
                  {longDate(item.at)} {clockTime(item.at)} · <bdi>{nameOf(item.actor.id)}</bdi>
                </p>
                {item.note && (
                  <p>
                    <bdi>{item.note}</bdi>
                  </p>
                )}
              </div>
            </li>
          ))}
        </ol>
      </section>
    </Dialog>
  );
}
