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

export const byNumber = (a: BoardRoom, b: BoardRoom): number => (a.number ?? "").localeCompare(b.number ?? "", "en", { numeric: true });

export function byUrgency(a: Work, b: Work): number {
  return (
    (STATE[a.task.status] ?? 3) - (STATE[b.task.status] ?? 3) ||
    URGENCY[a.task.priority] - URGENCY[b.task.priority] ||
    (a.room.nextArrivalAt ?? "9").localeCompare(b.room.nextArrivalAt ?? "9") ||
    byNumber(a.room, b.room)
  );
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

export function taskOf(board: Shown, room: BoardRoom): Task | undefined {
  const open = board.tasks.filter((task) => task.roomId === room.roomId && OPEN.has(task.status));
  return open.find((task) => task.taskId === room.openTask?.taskId) ?? open[0];
}
