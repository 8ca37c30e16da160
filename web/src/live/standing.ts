// What stands against a tap that was refused: the thing that its path names, its version, and who did the last thing to it.
import { readJson } from "../api/client";
import type { Room, Task } from "../api/types";
import { property } from "../app/session";
import type { Entry } from "../outbox/entry";

export interface Standing {
  task?: Task | undefined;
  room?: Room | undefined;
  /** Of what the path names: what a decision made in its sight carries. */
  version?: number | undefined;
  /** `what`: an event of a task's history, or the cause of a room's status. */
  who?: { id: string; what: string; at: string } | undefined;
}

/** `melmastoon.housekeeping.task.reassigned.v1` and `housekeeping.task.helper_joined` end in what happened, but for the version. */
export const eventOf = (subject: string): string => subject.split(".").filter((part) => !/^v\d+$/.test(part)).at(-1) ?? "";

const HK = "/housekeeping/v1";
const THINGS = /\/housekeeping\/v1\/(tasks|rooms|lost-and-found|discrepancies)\/([^/?]+)/;

/** The thing that a tap is about, and that its version is of. */
export function thingOf(path: string): { kind: "tasks" | "rooms" | "lost-and-found" | "discrepancies"; id: string } | undefined {
  const found = THINGS.exec(path);
  return found ? { kind: found[1] as "tasks", id: found[2] as string } : undefined;
}

async function ofTask(id: string): Promise<Standing> {
  type History = { items: { subject: string; at: string; actor: { id: string } }[] };
  const [task, { items }] = await Promise.all([readJson<Task>(`${HK}/tasks/${id}`), readJson<History>(`${HK}/tasks/${id}/history`)]);
  const last = items.at(-1);
  return { task, version: task.version, who: last && { id: last.actor.id, what: eventOf(last.subject), at: last.at } };
}

async function ofRoom(id: string): Promise<Standing> {
  const room = await readJson<Room>(`${HK}/rooms/${id}`);
  return { room, version: room.version, who: { id: room.lastFlippedBy.id, what: room.lastCause, at: room.lastFlippedAt } };
}

/** Whether a room was passed is seen at the room; its version is that of the cleaning. */
async function ofInspection(taskId: string, roomId: string): Promise<Standing> {
  const [task, room] = await Promise.all([readJson<Task>(`${HK}/tasks/${taskId}`), ofRoom(roomId)]);
  return { ...room, version: task.version };
}

async function ofDiscrepancy(id: string): Promise<Standing> {
  type Page = { items: { id: string; version: number }[]; nextCursor?: string | null };
  const query = `propertyId=${encodeURIComponent(property.get())}&limit=500`;
  const { items } = await readJson<Page>(`${HK}/discrepancies?${query}`);
  return { version: items.find((one) => one.id === id)?.version };
}

export async function standingOf(entry: Pick<Entry, "path" | "effect">): Promise<Standing> {
  const thing = thingOf(entry.path);
  if (!thing) return {};
  const { kind, id } = thing;
  if (kind === "rooms") return ofRoom(id);
  if (kind === "discrepancies") return ofDiscrepancy(id);
  if (kind === "lost-and-found") return { version: (await readJson<{ version: number }>(`${HK}/lost-and-found/${id}`)).version };
  return entry.effect?.roomId && !entry.effect.taskId ? ofInspection(id, entry.effect.roomId) : ofTask(id);
}
