// One room with its work, as small as it can be read.
import { memo } from "../ui/memo";
import type { BoardRoom, Task } from "../api/types";
import { clockTime, dayTime, duration } from "../i18n/dates";
import { type Language, t, word } from "../i18n";
import { Picture } from "../ui/pictures";
import { Status, StatusShape } from "../ui/status";
import { isLate } from "./lanes";

interface Props {
  room: BoardRoom;
  task?: Task | undefined;
  pending: boolean;
  /** `task`: in a lane, the task is the tile. `room`: on a floor, the room is. */
  as: "task" | "room";
  /** Without it the tile says which room it is, and by its edge how it stands; the rest comes once those in sight are painted. */
  whole: boolean;
  mayAct: boolean;
  selected: boolean;
  language: Language;
  onOpen: (room: BoardRoom, task: Task | undefined) => void;
  /** A tap on the tile itself; `several`: with the key that chooses one more. */
  onPress: (room: BoardRoom, task: Task | undefined, several: boolean) => void;
  /** By the task, or by the room where there is no work. */
  onSelect: (key: string) => void;
  onPass: (room: BoardRoom) => void;
}

export function roomData(room: BoardRoom) {
  return {
    "data-testid": "room",
    "data-room": room.number ?? "",
    "data-room-id": room.roomId,
    "data-status": room.status,
    "data-occupancy": room.occupancy,
    "data-version": String(room.version),
  };
}

export function taskData(task: Task, room: BoardRoom, pending: boolean) {
  return {
    "data-testid": "task",
    "data-task-id": task.taskId,
    "data-room": room.number ?? "",
    "data-status": task.status,
    "data-priority": task.priority,
    "data-assignee": task.assigneeStaffId ?? "",
    "data-pending": String(pending),
  };
}

export const selectionKey = (room: BoardRoom, task: Task | undefined): string => task?.taskId ?? room.roomId;

/** A key by its letter; where the keyboard writes other letters, by its place. */
const isKey = (event: KeyboardEvent, letter: string): boolean => (/^[a-z]$/i.test(event.key) ? event.key.toLowerCase() === letter : event.code === `Key${letter.toUpperCase()}`);

export const Tile = memo(function Tile(props: Props) {
  const { room, task, pending, as, whole, mayAct, selected, onOpen, onPress, onSelect, onPass } = props;
  const label = [room.number, word("roomStatus", room.status), task && word("kind", task.kind), task && word("taskStatus", task.status)];
  const keys = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || (isKey(event, "g") && mayAct)) onOpen(room, task);
    else if (event.key === " " && mayAct) onSelect(selectionKey(room, task));
    else if (isKey(event, "p") && mayAct && room.status === "cleaned") onPass(room);
    else return;
    event.preventDefault();
  };
  const own = as === "task" && task ? taskData(task, room, pending) : roomData(room);
  return (
    <article
      {...own}
      data-edge={room.status}
      class={`tile ${pending ? "is-pending" : ""} ${selected ? "is-selected" : ""} ${task?.status === "in_progress" ? "is-active" : ""}`}
      role="group"
      aria-label={label.filter(Boolean).join(", ")}
      tabIndex={0}
      onKeyDown={keys}
      onClick={(event) => {
        if ((event.target as Element).closest("a,button,input")) return;
        onPress(room, task, event.ctrlKey || event.metaKey);
      }}
    >
      {whole ? (
        <>
          <header class="tile-head">
            {/* Shown by style while several are chosen: for that none of five hundred tiles is drawn again. */}
            {mayAct && (
              <input type="checkbox" checked={selected} aria-label={t("board.select", { room: room.number ?? "" })} onChange={() => onSelect(selectionKey(room, task))} />
            )}
            {number(props)}
            {signs(props)}
          </header>
          {lines(props)}
        </>
      ) : (
        number(props)
      )}
    </article>
  );
});

function number({ room, as, whole }: Props) {
  const href = `/rooms/${room.roomId}`;
  // Each attribute counts, five hundred times.
  if (!whole) return <a class="tile-number" href={href}>{room.number}</a>;
  return (
    <a class="tile-number" title={room.number ?? undefined} href={href} {...(as === "task" ? roomData(room) : {})}>
      {as === "task" && <StatusShape status={room.status} />}
      <bdi>{room.number ?? "…"}</bdi>
    </a>
  );
}

/** What a room has to say in pictures, and where its menu is. */
function signs({ room, task, pending, onOpen }: Props) {
  return (
    <>
      {task?.priority === "urgent" && <Sign name="chevrons" label={word("priority", "urgent")} />}
      {room.occupancy === "occupied" && <Sign name="occupied" label={word("occupancy", "occupied")} />}
      {room.blocks.length > 0 && <Sign name="lock" label={room.blocks.map((one) => word("block", one.reason)).join(", ")} />}
      {pending && <Sign name="clock" label={t("help.pending")} />}
      <button class="icon-button tile-menu" data-testid="task-menu" aria-label={t("board.menu", { room: room.number ?? "" })} onClick={() => onOpen(room, task)}>
        <Picture name="more" />
      </button>
    </>
  );
}

/** Its work, and the times it is about. */
function lines({ room, task, pending, as }: Props) {
  return (
    <>
      {as === "room" && (
        <p class="tile-status">
          <Status status={room.status} />
        </p>
      )}
      {task && (
        <p class="tile-line" {...(as === "room" ? taskData(task, room, pending) : {})}>
          {/* The shape says it too; whoever does not know it reads the word. */}
          {as === "task" && <b class="tile-word">{word("roomStatus", room.status)}</b>}
          <span class="tile-kind">{word("kind", task.kind)}</span>
        </p>
      )}
      {task && (task.status === "in_progress" || task.status === "paused") && (
        <p class="tile-line strong">
          {word("taskStatus", task.status)}
          {task.status === "in_progress" && task.startedAt && <span>{clockTime(task.startedAt)}</span>}
          {task.status === "paused" && task.pauseReason && <span>{word("pauseReason", task.pauseReason)}</span>}
        </p>
      )}
      {(task || room.readyEtaAt) && (
        <p class="tile-line">
          {task && <span>{duration(task.estimatedMinutes)}</span>}
          {room.readyEtaAt && room.status !== "ready" && (
            <span class="tile-time" title={t("board.eta", { time: dayTime(room.readyEtaAt) })}>
              <Picture name="tick" />
              <span class="sr">{t("board.column.eta")}</span>
              {dayTime(room.readyEtaAt)}
            </span>
          )}
        </p>
      )}
      {room.nextArrivalAt && (
        <p class={`tile-line ${isLate(room) ? "is-late" : ""}`}>
          <span class="tile-time" title={t("help.arrival")}>
            <Picture name={isLate(room) ? "alert" : "arrival"} />
            {dayTime(room.nextArrivalAt)}
            {isLate(room) && <span>{t("board.isLate")}</span>}
          </span>
        </p>
      )}
    </>
  );
}

export function Sign({ name, label }: { name: string; label: string }) {
  return (
    <span class={`sign ${name}`} role="img" aria-label={label} title={label}>
      <Picture name={name} />
    </span>
  );
}
