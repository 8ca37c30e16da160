// Another room or other days: what would change is shown, and only then asked of the server.
import { useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { t } from "../i18n";
import { longDate, noonOf } from "../i18n/dates";
import { Dialog } from "../ui/dialog";
import { type ChartRoom, type Span, dayAfter } from "./data";

export interface Wish {
  span: Span;
  room: ChartRoom;
  roomId?: string;
  start?: string;
  end?: string;
}

export function ChangeStay({ wish, rooms, onClose, again }: { wish: Wish; rooms: ChartRoom[]; onClose: () => void; again: () => void }) {
  const { span, room } = wish;
  const { busy, run } = useChange();
  const [roomId, setRoom] = useState(wish.roomId ?? room.roomId);
  const [start, setStart] = useState(wish.start ?? span.start);
  const [end, setEnd] = useState(wish.end ?? span.end);
  const otherRoom = roomId !== room.roomId;
  const otherDays = start !== span.start || end !== span.end;
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
      testid="change-stay"
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={busy || (!otherRoom && !otherDays) || start >= end} onClick={() => void send()}>
            {t("chart.change")}
          </button>
        </>
      }
    >
      <p class="soft">
        <bdi>{span.reservationCode}</bdi> · {longDate(noonOf(span.start))} – {longDate(noonOf(span.end))}
      </p>
      <label class="field">
        <span>{t("chart.room")}</span>
        <select class="input" data-testid="chart-room" value={roomId} onChange={(event) => setRoom(event.currentTarget.value)}>
          {rooms.map((one) => (
            <option key={one.roomId} value={one.roomId}>
              {one.number}
            </option>
          ))}
        </select>
      </label>
      <div class="row">
        <label class="field grow">
          <span>{t("chart.arrives")}</span>
          <input class="input" type="date" value={start} disabled={span.status === "checked_in"} onInput={(event) => setStart(event.currentTarget.value)} />
        </label>
        <label class="field grow">
          <span>{t("chart.leaves")}</span>
          <input class="input" type="date" data-testid="chart-end" value={end} min={dayAfter(start, 1)} onInput={(event) => setEnd(event.currentTarget.value)} />
        </label>
      </div>
      {(otherRoom || otherDays) && (
        <p class="notice" role="status">
          {otherRoom && t("chart.movesTo", { from: room.number ?? "", to: rooms.find((one) => one.roomId === roomId)?.number ?? "" })}
          {otherRoom && otherDays && " · "}
          {otherDays && t("chart.newDays", { from: longDate(noonOf(start)), to: longDate(noonOf(end)) })}
        </p>
      )}
    </Dialog>
  );
}
