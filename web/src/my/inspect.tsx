// For supervisors on their feet: the rooms that wait to be looked at.
import { useEffect, useState } from "preact/hooks";
import type { BoardRoom } from "../api/types";
import { dayTime } from "../i18n/dates";
import { t } from "../i18n";
import { useBoard } from "../live/board";
import type { Shown } from "../live/overlay";
import { lookAhead } from "../board/cleaning";
import { TileMenu } from "../board/menu";
import { byNumber } from "../board/order";
import { Picture } from "../ui/pictures";
import { StatusShape } from "../ui/status";
import "../board/board.css";

/** One's own share has one's own rooms; these are the house's. */
export function ToInspect() {
  const { board } = useBoard();
  return board ? <Rooms board={board} /> : null;
}

function Rooms({ board }: { board: Shown }) {
  const [open, setOpen] = useState<BoardRoom>();
  const rooms = board.rooms.filter((room) => room.status === "cleaned").sort(byNumber);
  useEffect(() => void lookAhead(board.rooms), [board.rooms]);
  if (!rooms.length) return null;
  return (
    <section class="stack">
      <h2>{t("my.toInspect")}</h2>
      <ul class="my-list">
        {rooms.map((room) => (
          <li key={room.roomId}>
            <button class="my-row" data-testid="to-inspect" data-room={room.number ?? ""} onClick={() => setOpen(room)}>
              <StatusShape status={room.status} />
              <b class="my-number">
                <bdi>{room.number}</bdi>
              </b>
              <span class="grow small soft">{room.nextArrivalAt && t("board.arrivalAt", { time: dayTime(room.nextArrivalAt) })}</span>
              <Picture name="next" />
            </button>
          </li>
        ))}
      </ul>
      {open && <TileMenu board={board} room={open} task={undefined} mayAct onClose={() => setOpen(undefined)} />}
    </section>
  );
}
