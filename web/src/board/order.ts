// The order of work as people read it: what is begun, what is urgent, who comes first, then by number.
import type { BoardRoom, Priority, Task, TaskStatus } from "../api/types";

const STATE: Partial<Record<TaskStatus, number>> = { in_progress: 0, paused: 1, assigned: 2, pending: 2 };
const URGENCY: Record<Priority, number> = { urgent: 0, high: 1, normal: 2, low: 3 };
export const OPEN = new Set<TaskStatus>(["pending", "assigned", "in_progress", "paused"]);

export interface Work {
  task: Task;
  room: BoardRoom;
}

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
