// What a manager asks first: how much of the house is ready, what is left to do, which guests would wait, and when it is over.
import { type BoardRoom, ROOM_STATUSES, type RoomStatus } from "../api/types";
import { setSearch } from "../app/router";
import { clockTime, duration, shortDate } from "../i18n/dates";
import { tomorrowOf } from "../i18n/days";
import { digitsOf } from "../i18n/digits";
import { t, tn, useLanguage, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { StatusShape } from "../ui/status";
import type { Due } from "./guests-due";
import { isFit, isLate } from "./lanes";
import { OPEN } from "./order";

/** Guests of today who would find no room: those of whom the board knows, and those whom the desk expects. */
export function guestsWaiting(board: Shown, due: Due[], midnight: string): { waiting: number; late: number } {
  const rooms = new Map(board.rooms.map((room) => [room.roomId, room]));
  const expected = new Set(due.flatMap((one) => one.items.map((item) => item.roomId)));
  const known = board.rooms.filter((room) => room.nextArrivalAt && room.nextArrivalAt < midnight && !isFit(room) && !expected.has(room.roomId));
  const listed = due.filter((one) => one.items.some((item) => !item.roomId || !isFit(rooms.get(item.roomId) ?? NO_ROOM)));
  const isDue = (one: Due) =>
    one.items.some((item) => {
      const room = rooms.get(item.roomId ?? "");
      return room ? isLate({ ...room, nextArrivalAt: room.nextArrivalAt ?? one.expectedArrivalAt ?? null }) : one.status === "check_in_started";
    });
  return { waiting: known.length + listed.length, late: known.filter(isLate).length + listed.filter(isDue).length };
}
const NO_ROOM = { status: "dirty", occupancy: "vacant", blocks: [] } as unknown as BoardRoom;

/** `due`: who comes today, where the desk has told it. */
export function Summary({ board, status, due = [] }: { board: Shown; status: string | null; due?: Due[] | undefined }) {
  const language = useLanguage();
  const figure = (value: number) => digitsOf(value, language);
  const work = board.tasks.filter((task) => OPEN.has(task.status));
  const minutes = work.reduce((sum, task) => sum + task.estimatedMinutes, 0);
  const fit = board.rooms.filter(isFit).length;
  const midnight = tomorrowOf(board.generatedAt);
  const { waiting, late } = guestsWaiting(board, due, midnight);
  const over = work.length ? board.rooms.reduce((last, room) => (room.readyEtaAt && room.readyEtaAt > last ? room.readyEtaAt : last), "") : "";
  const counts = new Map<RoomStatus, number>(ROOM_STATUSES.map((one) => [one, 0]));
  for (const room of board.rooms) counts.set(room.status, (counts.get(room.status) ?? 0) + 1);
  return (
    <section class="summary card" aria-labelledby="board-counts">
      <dl class="summary-figures">
        <Figure label={t("board.figure.ready")} value={figure(fit)} more={tn("board.of", board.rooms.length)} />
        <Figure label={t("board.figure.todo")} value={figure(work.length)} more={minutes ? duration(minutes) : ""} />
        <Figure label={t("board.figure.waiting")} value={figure(waiting)} more={late ? tn("board.late", late) : ""} warn={late > 0} />
        <Figure label={t("board.figure.end")} value={over ? clockTime(over) : "–"} more={over >= midnight ? shortDate(over) : ""} />
      </dl>
      <div class="summary-bar" aria-hidden="true">
        {ROOM_STATUSES.map((one) => counts.get(one) ? <i key={one} data-shape={one} style={{ flexGrow: counts.get(one) }} /> : null)}
      </div>
      <p id="board-counts" class="counts-name small soft">
        {t("board.counts")}
      </p>
      <div class="counts" role="group" aria-labelledby="board-counts">
        {ROOM_STATUSES.map((one) => (
          <button
            key={one}
            class="count"
            data-testid="count"
            data-status={one}
            data-count={String(counts.get(one) ?? 0)}
            aria-pressed={status === one}
            onClick={() => setSearch({ status: status === one ? null : one })}
          >
            <StatusShape status={one} />
            <b>{figure(counts.get(one) ?? 0)}</b>
            <span>{word("roomStatus", one)}</span>
          </button>
        ))}
      </div>
    </section>
  );
}

function Figure({ label, value, more, warn }: { label: string; value: string; more?: string; warn?: boolean }) {
  return (
    <div class={warn ? "figure is-due" : "figure"}>
      <dt>{label}</dt>
      <dd>
        <b>{value}</b> {more && <span class={warn ? "summary-late" : "soft"}>{more}</span>}
      </dd>
    </div>
  );
}
