// Shown = the last copy with the outbox laid over it. What is refused or dropped is lifted.
import type { Board, BoardRoom, Task } from "../api/types";
import type { Entry } from "../outbox/entry";

export interface Shown extends Board {
  /** Task ids and room ids that wait for the server. */
  pending: Set<string>;
}

export function overlay(board: Board, entries: Entry[]): Shown {
  const pending = new Set<string>();
  const tasks = new Map<string, Partial<Task>>();
  const rooms = new Map<string, Partial<BoardRoom>>();
  for (const { effect, state } of entries) {
    if (!effect || (state !== "waiting" && state !== "sending")) continue;
    if (effect.taskId) {
      pending.add(effect.taskId);
      tasks.set(effect.taskId, { ...tasks.get(effect.taskId), ...effect.task });
    }
    if (effect.roomId) {
      if (!effect.taskId) pending.add(effect.roomId);
      if (effect.room) rooms.set(effect.roomId, { ...rooms.get(effect.roomId), ...effect.room });
    }
  }
  if (!pending.size) return { ...board, pending };
  return {
    ...board,
    pending,
    tasks: board.tasks.map((task) => {
      const laid = tasks.get(task.taskId);
      return laid ? { ...task, ...laid } : task;
    }),
    rooms: board.rooms.map((room) => {
      const laid = rooms.get(room.roomId);
      return laid ? { ...room, ...laid } : room;
    }),
    staff: board.staff.map((person) => {
      const moved = load(board.tasks, tasks, person.staffId);
      return moved ? { ...person, loadMinutes: Math.max(0, person.loadMinutes + moved) } : person;
    }),
  };
}

/** By how many minutes a person's load changes through what waits. */
function load(tasks: Task[], laid: Map<string, Partial<Task>>, staffId: string): number {
  let minutes = 0;
  for (const task of tasks) {
    const change = laid.get(task.taskId);
    if (!change || change.assigneeStaffId === undefined) continue;
    if (change.assigneeStaffId === staffId) minutes += task.estimatedMinutes;
    if (task.assigneeStaffId === staffId) minutes -= task.estimatedMinutes;
  }
  return minutes;
}
