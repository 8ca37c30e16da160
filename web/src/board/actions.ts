// What a supervisor decides, as taps. Decisions about others carry the version that was seen.
import { HOUSEKEEPING } from "../api/client";
import { problemOf } from "../api/problem";
import type { BoardRoom, Priority, RoomStatus, Task, TaskKind } from "../api/types";
import { property } from "../app/session";
import { needMoreWords } from "../i18n";
import { type Tap, entries, isMine, isWaiting } from "../outbox";
import { keep } from "../outbox/keep";
import { titleOf } from "../ui/states";
import { toast } from "../ui/toast";
import { cleaningOf } from "./cleaning";

/** Behind a tap of one's own that waits, the version is not known yet; the earlier one carries it, and stops the lane if refused. */
function seen(lane: string, version: number | undefined): Pick<Tap, "ifMatch"> {
  const waits = entries.get().some((one) => one.lane === lane && isWaiting(one) && isMine(one));
  return waits || version === undefined ? {} : { ifMatch: `"${version}"` };
}

const decide = async (what: Tap): Promise<void> => void (await keep(what));

const ofTask = (task: Pick<Task, "taskId">, what: string) => ({ lane: task.taskId, method: "POST", path: `${HOUSEKEEPING}/tasks/${task.taskId}/${what}` });
const ofRoom = (room: Pick<BoardRoom, "roomId">, what: string) => ({ lane: room.roomId, method: "POST", path: `${HOUSEKEEPING}/rooms/${room.roomId}/${what}` });

export function give(task: Task, number: string, staffId: string): Promise<void> {
  return decide({
    ...ofTask(task, "assign"),
    ...seen(task.taskId, task.version),
    verb: "assign",
    room: number,
    body: { staffId, reason: "manual" },
    effect: { taskId: task.taskId, task: { assigneeStaffId: staffId, status: "assigned" } },
  });
}

export function setPriority(task: Task, number: string, priority: Priority): Promise<void> {
  return decide({
    ...ofTask(task, "priority"),
    ...seen(task.taskId, task.version),
    method: "PATCH",
    verb: "priority",
    room: number,
    body: { priority },
    effect: { taskId: task.taskId, task: { priority } },
  });
}

export function cancelTask(task: Task, number: string, reason: string): Promise<void> {
  return decide({
    ...ofTask(task, "cancel"),
    ...seen(task.taskId, task.version),
    verb: "cancel",
    room: number,
    body: { reason },
    effect: { taskId: task.taskId, task: { status: "cancelled" } },
    wants: "cancelled",
  });
}

export type Outcome = "pass" | "fail" | "waived";
const AFTER: Record<Outcome, RoomStatus> = { pass: "ready", fail: "dirty", waived: "ready" };

export function inspect(of: { taskId: string; version: number }, room: Pick<BoardRoom, "roomId" | "number">, outcome: Outcome, reason?: string): Promise<void> {
  return decide({
    ...ofTask(of, "inspections"),
    ...seen(of.taskId, of.version),
    verb: outcome === "waived" ? "inspect_waive" : `inspect_${outcome}`,
    room: room.number ?? "",
    body: { outcome, ...(reason ? { reason } : {}) },
    effect: { roomId: room.roomId, room: { status: AFTER[outcome] } },
  });
}

/** Judges a room whose cleaning is looked up first. False where it could not be, and then it is said why. */
export async function inspectRoom(room: BoardRoom, outcome: Outcome, reason?: string): Promise<boolean> {
  try {
    const cleaning = await cleaningOf(room);
    if (!cleaning) return false;
    await inspect(cleaning, room, outcome, reason);
    return true;
  } catch (error) {
    await needMoreWords();
    toast(titleOf(problemOf(error)));
    return false;
  }
}

export const passRoom = (room: BoardRoom): Promise<boolean> => inspectRoom(room, "pass");

export function setStatus(room: BoardRoom, status: RoomStatus, note: string): Promise<void> {
  return decide({
    ...ofRoom(room, "status"),
    ...seen(room.roomId, room.version),
    verb: "status",
    room: room.number ?? "",
    body: { status, ...(note ? { note } : {}) },
    effect: { roomId: room.roomId, room: { status } },
  });
}

export function block(room: BoardRoom, reason: string, until: string | undefined, note: string): Promise<void> {
  return decide({
    ...ofRoom(room, "block"),
    verb: "block",
    room: room.number ?? "",
    body: { reason, ...(until ? { blockedUntil: until } : {}), ...(note ? { note } : {}) },
    effect: { roomId: room.roomId, ...(reason === "oos" || reason === "maintenance" ? { room: { status: "out_of_order" } } : {}) },
  });
}

export function clearBlock(room: BoardRoom, blockId: string): Promise<void> {
  return decide({ ...ofRoom(room, `block/${blockId}`), method: "DELETE", verb: "unblock", room: room.number ?? "", effect: { roomId: room.roomId } });
}

export function newTask(room: BoardRoom, kind: TaskKind, priority: Priority, note: string): Promise<void> {
  return decide({
    lane: room.roomId,
    method: "POST",
    path: `${HOUSEKEEPING}/tasks`,
    verb: "create",
    room: room.number ?? "",
    body: { propertyId: property.get(), roomId: room.roomId, kind, priority, ...(note ? { note } : {}) },
    effect: { roomId: room.roomId },
  });
}
