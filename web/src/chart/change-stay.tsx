// Another room or other days: what would change is shown, and only then asked of the server.
import { useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { t } from "../i18n";
import { longDate, noonOf } from "../i18n/dates";
import { dayAfter, range } from "../i18n/days";
import { isFree } from "../desk/offers";
import { DateField } from "../ui/date-field";
import { Dialog } from "../ui/dialog";
import type { ChartRoom, Span } from "./data";

export interface Wish {
  span: Span;
  /** None: sold, and without a room yet. */
  room?: ChartRoom | undefined;
  roomId?: string;
  start?: string;
  end?: string;
}

export function ChangeStay({ wish, rooms, onClose, again }: { wish: Wish; rooms: ChartRoom[]; onClose: () => void; again: () => void }) {
  const { span, room } = wish;
  const { busy, run } = useChange();
  const [roomId, setRoom] = useState(wish.roomId ?? room?.roomId ?? "");
  const [start, setStart] = useState(wish.start ?? span.start);
  const [end, setEnd] = useState(wish.end ?? span.end);
  const otherRoom = roomId !== (room?.roomId ?? "");
  // Whoever types a date has half of one for a while: the browser says then that there is none.
  const typed = Boolean(start && end);
  const otherDays = typed && (start !== span.start || end !== span.end);
  // Without a room of one's own: those that are free on these nights, of the kind that was sold first.
  const shown = room ? rooms : rooms.filter((one) => typed && isFree(one, start, end, span.reservationId)).sort((a, b) => Number(b.roomTypeId === span.roomTypeId) - Number(a.roomTypeId === span.roomTypeId));
  const send = async () => {
    const path = `/reservation/v1/reservations/${span.reservationId}/modifications`;
    const work = async () => {
      if (otherDays) await change("POST", path, { type: "date_change", stayWindow: { start, end } });
      if (otherRoom) await change("POST", path, { type: "room_change", itemId: span.itemId, roomId });
    };
    if (await run(work, t("chart.changed"))) onClose();
    again();
  };
  return (
    <Dialog
      title={<bdi>{span.guestName ?? span.reservationCode}</bdi>}
      data={{ placed: String(Boolean(room)) }}
      testid="change-stay"
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={busy || !typed || (!otherRoom && !otherDays) || start >= end} onClick={() => void send()}>
            {t("chart.change")}
          </button>
        </>
      }
    >
      <p class="soft">
        <bdi>{span.reservationCode}</bdi> · {range(longDate(noonOf(span.start)), longDate(noonOf(span.end)))}
      </p>
      <label class="field">
        <span>{t("chart.room")}</span>
        <select class="input" data-testid="chart-room" value={roomId} onChange={(event) => setRoom(event.currentTarget.value)}>
          {!room && <option value="">–</option>}
          {shown.map((one) => (
            <option key={one.roomId} value={one.roomId}>
              {one.number}
            </option>
          ))}
        </select>
      </label>
      <div class="row">
        <label class="field grow">
          <span>{t("chart.arrives")}</span>
          <DateField label={t("chart.arrives")} testid="chart-start" value={start} disabled={span.status === "checked_in"} onValue={setStart} />
        </label>
        <label class="field grow">
          <span>{t("chart.leaves")}</span>
          <DateField label={t("chart.leaves")} testid="chart-end" value={end} {...(start ? { min: dayAfter(start, 1) } : {})} onValue={setEnd} />
        </label>
      </div>
      {(otherRoom || otherDays) && (
        <p class="notice" role="status">
          {otherRoom && !room && t("chart.gets", { room: rooms.find((one) => one.roomId === roomId)?.number ?? "" })}
          {otherRoom && room && t("chart.movesTo", { from: room.number ?? "", to: rooms.find((one) => one.roomId === roomId)?.number ?? "" })}
          {otherRoom && otherDays && " · "}
          {otherDays && t("chart.newDays", { from: longDate(noonOf(start)), to: longDate(noonOf(end)) })}
        </p>
      )}
    </Dialog>
  );
}
