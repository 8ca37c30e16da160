// Three ways to look at the same house: who does what, what is where, and everything in rows.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardRoom, Task } from "../api/types";
import { dayTime, duration } from "../i18n/dates";
import { digitsOf } from "../i18n/digits";
import { type Language, t, tn, useLanguage, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { useNames } from "../live/people";
import { memo } from "../ui/memo";
import { Picture } from "../ui/pictures";
import { Status } from "../ui/status";
import { afterPainted } from "../app/idle";
import { type Lane, jobOf, lanesOf, taskOf } from "./lanes";
import { byNumber } from "./order";
import { Sign, Tile, roomData, selectionKey, taskData } from "./tile";
import { WhatIfNote, useWhatIf } from "./what-if";

type Drag = typeof import("./drag");
let drag: Drag | undefined;
const dragComes = new Promise<Drag>((resolve) => {
  afterPainted(() => void import("./drag").then((module) => resolve((drag = module)), () => undefined));
});

export interface Hands {
  mayAct: boolean;
  selected: Set<string>;
  onOpen: (room: BoardRoom, task: Task | undefined) => void;
  onPress: (room: BoardRoom, task: Task | undefined, several: boolean) => void;
  onSelect: (key: string) => void;
  onPass: (room: BoardRoom) => void;
  onGive: (taskId: string, staffId: string) => void;
  onHandOver: (lane: Lane) => void;
}

interface View {
  board: Shown;
  /** What was asked for, as text: another one is another house to look at. */
  filter?: string;
  fits: (room: BoardRoom) => boolean;
  hands: Hands;
}

/** A tile takes at least so many pixels of a window: as many as would fill it are drawn whole at first, from the top, where one looks; of a small house, all. */
const TILE = 140 * 110;
const SMALL_HOUSE = 60;
const wholeAtFirst = (): number => Math.max(SMALL_HOUSE, Math.ceil((innerWidth * innerHeight) / TILE));
/** So long may an idle moment take: whoever touches the house meanwhile waits for no more than that. */
const A_MOMENT = 10;
const [FEWEST, MOST] = [4, 60];
/** How many tiles become whole in a moment, as this device has shown. */
let moreAtOnce = 16;

/** Learns from how long so many took: a slow phone does fewer at once. */
function learnFrom(count: number, took: number): void {
  const fit = Math.floor((A_MOMENT * count) / Math.max(took, 0.1));
  moreAtOnce = Math.min(MOST, Math.max(FEWEST, fit));
}

/**
 * How many tiles of each part are whole: a house of five hundred rooms is on the screen before all of it is told. Whoever asks for others (`filter`) has those at
 * the top whole first again: the next touch does not wait until all that come back are.
 */
function useWhole(lengths: number[], filter: string): number[] {
  const [state, setState] = useState(() => ({ filter, told: wholeAtFirst() }));
  const told = state.filter === filter ? state.told : wholeAtFirst();
  const all = lengths.reduce((sum, one) => sum + one, 0);
  const begun = useRef<{ at: number; count: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (begun.current) learnFrom(begun.current.count, performance.now() - begun.current.at);
    begun.current = undefined;
  }, [told]);
  useEffect(() => {
    let gone = false;
    const more = () => {
      if (gone) return;
      begun.current = { at: performance.now(), count: moreAtOnce };
      setState({ filter, told: told + moreAtOnce });
    };
    if (told < all) afterPainted(more);
    return () => {
      gone = true;
    };
  }, [told, all, filter]);
  let left = told;
  return lengths.map((length) => {
    const own = Math.max(0, Math.min(length, left));
    left -= length;
    return own;
  });
}

export function LanesView({ board, filter = "", fits, hands }: View) {
  useLanguage();
  const { lanes, rest } = useMemo(() => lanesOf(board, fits), [board, fits]);
  const whole = useWhole([...lanes.map((lane) => lane.work.length), rest.length], filter);
  return (
    <div class="lanes" onPointerOver={(event) => hands.mayAct && drag?.arm(event.target)} onPointerDown={(event) => hands.mayAct && drag?.arm(event.target)}>
      {lanes.map((lane, index) => (
        <LaneRow key={lane.staffId || "nobody"} lane={lane} board={board} hands={hands} whole={whole[index] ?? 0} />
      ))}
      {rest.length > 0 && (
        <section class="lane rest">
          <header class="lane-head">
            <div class="lane-who">
              <h2>{t("board.rest")}</h2>
              <p class="small soft">{tn("board.rooms", rest.length)}</p>
            </div>
          </header>
          <Tiles rooms={rest} board={board} hands={hands} whole={whole.at(-1) ?? 0} />
        </section>
      )}
    </div>
  );
}

/** One or two letters that stand for a person beside their name. Letters that would join stay apart. */
const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => [...part][0] ?? "")
    .join("\u200c");

/** As more tiles become whole, the lanes that are whole already, or not at all yet, are not drawn again. */
const LaneRow = memo(function LaneRow({ lane, board, hands, whole }: { lane: Lane; board: Shown; hands: Hands; whole: number }) {
  const language = useLanguage();
  const nameOf = useNames();
  const box = useRef<HTMLElement>(null);
  const [over, setOver] = useState<string>();
  const give = useRef(hands.onGive);
  give.current = hands.onGive;
  useEffect(() => {
    const element = box.current;
    if (!hands.mayAct || !element || !lane.staffId) return;
    let end: (() => void) | undefined;
    let gone = false;
    void dragComes.then(({ makeDropTarget }) => {
      if (!gone) end = makeDropTarget(element, { over: setOver, drop: (taskId) => give.current(taskId, lane.staffId) });
    });
    return () => {
      gone = true;
      end?.();
    };
  }, [hands.mayAct, lane.staffId]);
  const task = over ? board.tasks.find((one) => one.taskId === over) : undefined;
  const job = lane.person && jobOf(lane.person);
  const found = useWhatIf(task && task.assigneeStaffId !== lane.staffId ? over : undefined, lane.staffId, board.etag);
  const capacity = lane.person?.capacityMinutes;
  const share = capacity ? Math.min(1.2, lane.load / capacity) : 0;
  return (
    <section
      ref={box}
      class={`lane ${over ? "is-over" : ""} ${lane.staffId ? "" : "nobody"}`}
      data-testid="lane"
      data-staff-id={lane.staffId}
      data-load={String(lane.load)}
      data-capacity={capacity === undefined ? "" : String(capacity)}
    >
      <header class="lane-head">
        {lane.staffId && (
          <span class="initials" aria-hidden="true">
            {initials(nameOf(lane.staffId))}
          </span>
        )}
        <div class="lane-who">
          <h2 title={lane.staffId ? nameOf(lane.staffId) : undefined}>{lane.staffId ? <bdi>{nameOf(lane.staffId)}</bdi> : t("board.nobody")}</h2>
          <p class="lane-load">
            {capacity !== undefined && (
              <span class={`meter ${share > 1 ? "is-over" : ""}`} aria-hidden="true">
                <i style={{ inlineSize: `${Math.min(100, share * 100)}%` }} />
              </span>
            )}
            <span class="small soft">
              {capacity === undefined ? duration(lane.load) : t("board.load", { load: duration(lane.load), capacity: duration(capacity) })}
            </span>
          </p>
        </div>
        <p class="row small lane-acts">
          {job && job !== "cleaning" && <span class="chip">{t(`board.job.${job}`)}</span>}
          {lane.person?.onBreak && (
            <span class="chip">
              <Picture name="coffee" />
              {t("board.onBreak")}
            </span>
          )}
          {lane.staffId && !lane.person && <span class="chip">{t("board.offShift")}</span>}
        </p>
        <p class="row small lane-acts hands">
          {hands.mayAct && lane.person && lane.work.length > 0 && (
            <a class="icon-button" href={`/print/${lane.staffId}`} data-testid="print-lane" aria-label={t("board.printFor", { name: nameOf(lane.staffId) })} title={t("board.printFor", { name: nameOf(lane.staffId) })}>
              <Picture name="print" />
            </a>
          )}
          {hands.mayAct && lane.staffId && lane.work.some((one) => one.task.status === "assigned") && (
            <button class="button quiet small" data-testid="hand-over" onClick={() => hands.onHandOver(lane)}>
              {t("board.handOver")}
            </button>
          )}
        </p>
        {over && lane.staffId && task?.assigneeStaffId !== lane.staffId && <WhatIfNote staffId={lane.staffId} found={found} />}
      </header>
      <ul class="tiles">
        {lane.work.map(({ task: one, room }, index) => (
          <li key={one.taskId}>
            <Tile
              as="task"
              whole={index < whole}
              room={room}
              task={one}
              pending={board.pending.has(one.taskId) || board.pending.has(room.roomId)}
              selected={hands.selected.has(one.taskId)}
              language={language}
              mayAct={hands.mayAct}
              onOpen={hands.onOpen}
              onPress={hands.onPress}
              onSelect={hands.onSelect}
              onPass={hands.onPass}
            />
          </li>
        ))}
        {!lane.work.length && <li class="lane-empty soft small">{lane.staffId ? t("board.laneEmpty") : t("board.nobodyEmpty")}</li>}
      </ul>
    </section>
  );
});

const Tiles = memo(function Tiles({ rooms, board, hands, whole }: { rooms: BoardRoom[]; board: Shown; hands: Hands; whole: number }) {
  const language = useLanguage();
  return (
    <ul class="tiles">
      {rooms.map((room, index) => {
        const task = taskOf(board, room);
        return (
          <li key={room.roomId}>
            <Tile
              as="room"
              whole={index < whole}
              room={room}
              task={task}
              pending={board.pending.has(room.roomId) || (task !== undefined && board.pending.has(task.taskId))}
              selected={hands.selected.has(selectionKey(room, task))}
              language={language}
              mayAct={hands.mayAct}
              onOpen={hands.onOpen}
              onPress={hands.onPress}
              onSelect={hands.onSelect}
              onPass={hands.onPass}
            />
          </li>
        );
      })}
    </ul>
  );
});

export function FloorsView({ board, filter = "", fits, hands }: View) {
  const language = useLanguage();
  const order = useMemo(() => {
    const floors = new Map<number | null, BoardRoom[]>();
    for (const room of board.rooms.filter(fits).sort(byNumber)) {
      const floor = room.floor ?? null;
      floors.set(floor, [...(floors.get(floor) ?? []), room]);
    }
    return [...floors.entries()].sort(([a], [b]) => (a ?? 1e6) - (b ?? 1e6));
  }, [board, fits]);
  const whole = useWhole(order.map(([, rooms]) => rooms.length), filter);
  return (
    <div class="lanes floors">
      {order.map(([floor, rooms], index) => (
        <section class="lane" key={String(floor)}>
          <header class="lane-head">
            <div class="lane-who">
              <h2>{floor === null ? t("board.noFloor") : t("board.floor", { floor: digitsOf(floor, language) })}</h2>
              <p class="small soft">{tn("board.rooms", rooms.length)}</p>
            </div>
          </header>
          <Tiles rooms={rooms} board={board} hands={hands} whole={whole[index] ?? 0} />
        </section>
      ))}
    </div>
  );
}

const COLUMNS = ["room", "status", "guest", "work", "who", "minutes", "arrival", "eta"] as const;

/** Rows are grids of their own, so that those out of sight cost nothing; what they are is said by their roles. */
export function ListView({ board, filter = "", fits, hands }: View) {
  const language = useLanguage();
  const nameOf = useNames();
  const rooms = board.rooms.filter(fits).sort(byNumber);
  const [whole = 0] = useWhole([rooms.length], filter);
  return (
    <div class="scroll-box card list" tabIndex={0} role="region" aria-label={t("board.view.list")}>
      <table role="table">
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((column) => (
              <th key={column} scope="col" role="columnheader">
                {word("board.column", column)}
              </th>
            ))}
            <th scope="col" role="columnheader">
              <span class="sr">{t("action.more")}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rooms.map((room, index) => {
            const task = taskOf(board, room);
            const pending = board.pending.has(room.roomId) || (task !== undefined && board.pending.has(task.taskId));
            return <Row key={room.roomId} room={room} task={task} pending={pending} whole={index < whole} name={task?.assigneeStaffId ? nameOf(task.assigneeStaffId) : ""} language={language} onOpen={hands.onOpen} />;
          })}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  room: BoardRoom;
  task: Task | undefined;
  pending: boolean;
  whole: boolean;
  name: string;
  language: Language;
  onOpen: Hands["onOpen"];
}

const Row = memo(function Row({ room, task, pending, whole, name, onOpen }: RowProps) {
  return (
    <tr role="row" class={pending ? "is-pending" : ""} {...roomData(room)}>
      <th scope="row" role="rowheader">
        <a href={`/rooms/${room.roomId}`}>
          <bdi>{room.number}</bdi>
        </a>
      </th>
      {whole && (
        <>
          <td role="cell">
            <Status status={room.status} />
          </td>
          <td role="cell">{room.occupancy === "occupied" && word("occupancy", "occupied")}</td>
          {task ? (
            <td role="cell" {...taskData(task, room, pending)}>
              {task.priority === "urgent" && <Sign name="chevrons" label={word("priority", "urgent")} />}
              {word("kind", task.kind)} · {word("taskStatus", task.status)}
            </td>
          ) : (
            <td role="cell" />
          )}
          <td role="cell">{name && <bdi>{name}</bdi>}</td>
          <td role="cell">{task && duration(task.estimatedMinutes)}</td>
          <td role="cell" data-label={word("board.column", "arrival")}>
            {room.nextArrivalAt && dayTime(room.nextArrivalAt)}
          </td>
          <td role="cell" data-label={word("board.column", "eta")}>
            {room.readyEtaAt && dayTime(room.readyEtaAt)}
          </td>
          <td role="cell">
            <button class="icon-button" data-testid="task-menu" aria-label={t("board.menu", { room: room.number ?? "" })} onClick={() => onOpen(room, task)}>
              <Picture name="more" />
            </button>
          </td>
        </>
      )}
    </tr>
  );
});
