// A housekeeper's own work, as taps. They carry no version: the task's state decides, not a changed priority.
import { HOUSEKEEPING } from "../api/client";
import { serverIso } from "../api/clock";
import type { BoardRoom, RoomStatus, Task } from "../api/types";
import { property, session } from "../app/session";
import type { Tap } from "../outbox";
import { keep } from "../outbox/keep";
import { PUNCHES } from "../outbox/paths";
import type { Punch } from "../outbox/punches";

interface Step {
  what: string;
  verb: string;
  wants?: Task["status"];
  body?: object;
  task?: Partial<Task>;
  room?: RoomStatus;
}

export function stepOf(task: Task, room: BoardRoom | undefined, one: Step): Tap {
  const at = serverIso();
  return {
    lane: task.taskId,
    method: "POST",
    path: `${HOUSEKEEPING}/tasks/${task.taskId}/${one.what}`,
    verb: one.verb,
    room: room?.number ?? "",
    at,
    body: { ...one.body, ...(one.what === "escalate" ? {} : { at }) },
    ...(one.wants ? { wants: one.wants } : {}),
    effect: {
      taskId: task.taskId,
      task: { ...(one.wants ? { status: one.wants } : {}), ...one.task },
      ...(room && one.room ? { roomId: room.roomId, room: { status: one.room } } : {}),
    },
  };
}

const step = (task: Task, room: BoardRoom | undefined, one: Step, said = "") => keep(stepOf(task, room, one), said);

const now = () => new Date().toISOString();

export const start = (task: Task, room?: BoardRoom) =>
  step(task, room, { what: "start", verb: "start", wants: "in_progress", task: { startedAt: now() }, room: "cleaning" });

export const RESUME: Step = { what: "resume", verb: "resume", wants: "in_progress" };
export const resume = (task: Task, room?: BoardRoom) => step(task, room, RESUME);

export const pause = (task: Task, room: BoardRoom | undefined, reason: NonNullable<Task["pauseReason"]>) =>
  step(task, room, { what: "pause", verb: "pause", wants: "paused", body: { reason }, task: { pauseReason: reason } });

export const fail = (task: Task, room: BoardRoom | undefined, reason: NonNullable<Task["failureReason"]>) =>
  step(task, room, { what: "fail", verb: "fail", wants: "failed", body: { reason }, task: { failureReason: reason }, room: "dirty" });

export const help = (task: Task, room: BoardRoom | undefined, said: string) =>
  step(task, room, { what: "escalate", verb: "escalate", body: { to: { role: "supervisor" }, reason: "help" } }, said);

export interface Report {
  checklistResults: { itemKey: string; checked: boolean }[];
  linen?: { issued: number; returned: number };
  noMaintenanceFound: boolean;
}

export const complete = (task: Task, room: BoardRoom | undefined, report: Report) =>
  step(task, room, {
    what: "complete",
    verb: "complete",
    wants: "completed",
    body: report,
    task: { completedAt: now() },
    room: task.kind === "mid_stay_clean" ? "clean" : "cleaned",
  });

export function seen(room: BoardRoom, observed: "vacant" | "occupied", said: string): Promise<boolean> {
  return keep({
    lane: room.roomId,
    method: "POST",
    path: `${HOUSEKEEPING}/rooms/${room.roomId}/occupancy`,
    verb: "occupancy",
    room: room.number ?? "",
    body: { observed },
  }, said);
}

function deviceId(): string {
  const key = "melmastoon.device";
  let id = localStorage.getItem(key);
  if (!id) localStorage.setItem(key, (id = crypto.randomUUID()));
  return id;
}

export function punch(kind: Punch["kind"], said: string): Promise<boolean> {
  const at = serverIso();
  const body: Punch = { kind, at, propertyId: property.get(), source: "web", deviceId: deviceId(), clientPunchId: crypto.randomUUID() };
  return keep({ lane: `clock ${session.get().who?.staffId ?? ""}`, method: "POST", path: PUNCHES, verb: "clock", at, body }, said);
}
