// The house as the board and the desk see it: which room is fit for a guest, whose work is whose. Apart from the order of work, which the phone needs too.
import type { BoardRoom, BoardStaff, Task } from "../api/types";
import type { Shown } from "../live/overlay";
import { OPEN, type Work, byNumber, byUrgency } from "./order";

/** A guest can have it now. */
export const isFit = (room: BoardRoom): boolean =>
  (room.status === "ready" || room.status === "inspected" || room.status === "clean") && room.occupancy === "vacant" && !room.blocks.length;

/** The guest would be there before the room is ready, as far as one knows. */
export const isLate = (room: BoardRoom): boolean => Boolean(room.nextArrivalAt) && !isFit(room) && (room.readyEtaAt ?? "9") > (room.nextArrivalAt ?? "");

export interface Lane {
  /** Empty: nobody has it. */
  staffId: string;
  person?: BoardStaff | undefined;
  work: Work[];
  load: number;
}

/** A copy that was kept before jobs were told has none. */
export const jobOf = (person: BoardStaff): BoardStaff["job"] => person.job ?? "cleaning";

/** Those at work whom rooms are given to, and the others: a clerk at the desk is in the house too. Who oversees cleans where nobody else does. */
export function byDuty(staff: BoardStaff[]): { clean: BoardStaff[]; others: BoardStaff[] } {
  const wanted = staff.some((one) => jobOf(one) === "cleaning") ? "cleaning" : "overseeing";
  return { clean: staff.filter((one) => jobOf(one) === wanted), others: staff.filter((one) => jobOf(one) !== wanted) };
}

/** A lane for everybody on shift, first for those who clean, for whoever holds work though off shift, and one for what nobody has. */
export function lanesOf(board: Shown, fits: (room: BoardRoom) => boolean): { lanes: Lane[]; rest: BoardRoom[] } {
  const rooms = new Map(board.rooms.map((room) => [room.roomId, room]));
  const lanes = new Map<string, Lane>([["", { staffId: "", work: [], load: 0 }]]);
  const { clean, others } = byDuty(board.staff);
  for (const person of [...clean, ...others]) lanes.set(person.staffId, { staffId: person.staffId, person, work: [], load: person.loadMinutes });
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
