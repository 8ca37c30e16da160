// A newer copy takes the place of the older one, row by row. A row never yields to a lower version.
import type { Board, BoardRoom, Task } from "../api/types";

/** Rows that did not change stay the same objects: one change draws one tile. */
function mergeRows<T extends { version: number }>(old: T[], now: T[], idOf: (row: T) => string): T[] {
  const before = new Map(old.map((row) => [idOf(row), row]));
  return now.map((row) => {
    const had = before.get(idOf(row));
    if (!had) return row;
    if (had.version > row.version) return had;
    return JSON.stringify(had) === JSON.stringify(row) ? had : row;
  });
}

export function mergeBoard(old: Board | undefined, now: Board): Board {
  if (!old || old.propertyId !== now.propertyId) return now;
  const staff = now.staff.map((person) => {
    const had = old.staff.find((one) => one.staffId === person.staffId && one.shiftId === person.shiftId);
    return had && JSON.stringify(had) === JSON.stringify(person) ? had : person;
  });
  return {
    ...now,
    staff,
    rooms: mergeRows<BoardRoom>(old.rooms, now.rooms, (room) => room.roomId),
    tasks: mergeRows<Task>(old.tasks, now.tasks, (task) => task.taskId),
  };
}

/** An answer to a tap: the task (or room) as the server has it now. */
export function applyAnswer(board: Board, body: unknown): Board {
  const row = (body ?? {}) as { taskId?: string; id?: string; roomId?: string; status?: string; occupancy?: string; version?: number };
  if (typeof row.version !== "number" || typeof row.status !== "string") return board;
  if (row.taskId?.startsWith("hkt_")) {
    const task = body as Task;
    const had = board.tasks.find((one) => one.taskId === task.taskId);
    if (had && had.version > task.version) return board;
    // What is over stays until the next copy: one's own day shows what was done, and the others pass it by.
    return { ...board, tasks: had ? board.tasks.map((one) => (one === had ? task : one)) : [...board.tasks, task] };
  }
  if (row.roomId && row.occupancy) {
    const fields = body as Pick<BoardRoom, "status" | "occupancy" | "version">;
    const change = (room: BoardRoom) =>
      room.roomId === row.roomId && room.version <= fields.version
        ? { ...room, status: fields.status, occupancy: fields.occupancy, version: fields.version }
        : room;
    return { ...board, rooms: board.rooms.map(change) };
  }
  return board;
}
