// The order of work as people read it: what is begun, what is urgent, who comes first, then by number.
import type { BoardRoom, BoardStaff, Priority, Task, TaskStatus } from "../api/types";
import type { Shown } from "../live/overlay";

const STATE: Partial<Record<TaskStatus, number>> = { in_progress: 0, paused: 1, assigned: 2, pending: 2 };
const URGENCY: Record<Priority, number> = { urgent: 0, high: 1, normal: 2, low: 3 };
export const OPEN = new Set<TaskStatus>(["pending", "assigned", "in_progress", "paused"]);

export interface Work {
  task: Task;
  room: BoardRoom;
}

/** A guest can have it now. */
export const isFit = (room: BoardRoom): boolean =>
  (room.status === "ready" || room.status === "inspected" || room.status === "clean") && room.occupancy === "vacant" && !room.blocks.length;

/** The guest would be there before the room is ready, as far as one knows. */
export const isLate = (room: BoardRoom): boolean => Boolean(room.nextArrivalAt) && !isFit(room) && (room.readyEtaAt ?? "9") > (room.nextArrivalAt ?? "");

const numbers = new Intl.Collator("en", { numeric: true });
export const byNumber = (a: BoardRoom, b: BoardRoom): number => numbers.compare(a.number ?? "", b.number ?? "");

/** Times as the server writes them, the earlier first; whatever has none comes last. */
const byTime = (a: string | null | undefined, b: string | null | undefined): number => ((a ?? "9") < (b ?? "9") ? -1 : (a ?? "9") > (b ?? "9") ? 1 : 0);

export function byUrgency(a: Work, b: Work): number {
  return (
    (STATE[a.task.status] ?? 3) - (STATE[b.task.status] ?? 3) ||
    URGENCY[a.task.priority] - URGENCY[b.task.priority] ||
    byTime(a.room.nextArrivalAt, b.room.nextArrivalAt) ||
    byNumber(a.room, b.room)
  );
}

/** The order of one's own day: what is begun, what is urgent, then as the approved plan has it. It is advice: any room may be started. */
export function asPlanned(order: string[] | null | undefined): (a: Work, b: Work) => number {
  const turn = new Map((order ?? []).map((taskId, index) => [taskId, index]));
  const place = ({ task }: Work) => turn.get(task.taskId) ?? Number.MAX_SAFE_INTEGER;
  const isUrgent = ({ task }: Work) => (task.priority === "urgent" ? 0 : 1);
  const isBegun = ({ task }: Work) => STATE[task.status] ?? 3;
  return (a, b) => isBegun(a) - isBegun(b) || isUrgent(a) - isUrgent(b) || place(a) - place(b) || byUrgency(a, b);
}

export interface Lane {
  /** Empty: nobody has it. */
  staffId: string;
  person?: BoardStaff | undefined;
  work: Work[];
  load: number;
}

/** A lane for everybody on shift, for whoever holds work though off shift, and one for what nobody has. */
export function lanesOf(board: Shown, fits: (room: BoardRoom) => boolean): { lanes: Lane[]; rest: BoardRoom[] } {
  const rooms = new Map(board.rooms.map((room) => [room.roomId, room]));
  const lanes = new Map<string, Lane>([["", { staffId: "", work: [], load: 0 }]]);
  for (const person of board.staff) lanes.set(person.staffId, { staffId: person.staffId, person, work: [], load: person.loadMinutes });
  const busy = new Set<string>();
  for (const task of board.tasks) {
    const room = rooms.get(task.roomId);
    if (!room || !OPEN.has(task.status)) continue;
    busy.add(room.roomId);
    const id = task.assigneeStaffId ?? "";
    const lane = lanes.get(id) ?? { staffId: id, work: [], load: 0 };
    lanes.set(id, lane);
    if (!lane.person) lane.load += task.estimatedMinutes;
    if (fits(room)) lane.work.push({ task, room });
  }
  for (const lane of lanes.values()) lane.work.sort(byUrgency);
  const rest = board.rooms.filter((room) => !busy.has(room.roomId) && fits(room)).sort(byNumber);
  return { lanes: [...lanes.values()], rest };
}

const byRoom = new WeakMap<Task[], Map<string, Task[]>>();
/** All tasks of a room; found for the whole board once, since five hundred rooms ask. */
export function tasksIn(board: Pick<Shown, "tasks">, roomId: string): Task[] {
  let index = byRoom.get(board.tasks);
  if (!index) {
    index = new Map();
    for (const task of board.tasks) {
      const here = index.get(task.roomId);
      if (here) here.push(task);
      else index.set(task.roomId, [task]);
    }
    byRoom.set(board.tasks, index);
  }
  return index.get(roomId) ?? [];
}

export function taskOf(board: Shown, room: BoardRoom): Task | undefined {
  const open = tasksIn(board, room.roomId).filter((task) => OPEN.has(task.status));
  return open.find((task) => task.taskId === room.openTask?.taskId) ?? open[0];
}
