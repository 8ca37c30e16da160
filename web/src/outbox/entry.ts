// One tap, as it is kept until the server has it.
import type { Problem } from "../api/problem";
import type { RoomStatus, Task } from "../api/types";

export type State = "waiting" | "sending" | "refused" | "dropped";

/** What the tap changes on the screen until the server has answered. */
export interface Effect {
  taskId?: string;
  roomId?: string;
  task?: Partial<Task>;
  room?: { status?: RoomStatus; occupancy?: "vacant" | "occupied" };
}

export interface Entry {
  /** Given by the shelf; the order of taps. */
  seq: number;
  key: string;
  tenant: string;
  /** Whose tap it is. It is never sent under another name. */
  staff: string;
  /** The task, line, item or room: in one lane one thing after the other. */
  lane: string;
  method: string;
  path: string;
  /** The very text that is sent: one byte more would be another request. */
  body: string;
  /** The entry is a photo: its bytes lie beside it under this name, and are what is sent. */
  photo?: string;
  ifMatch?: string;
  /** When it was tapped, by the server's clock. */
  at: string;
  firstTriedAt?: number;
  /** A request of a killed tab may still be on its way for a while after this. */
  lastTriedAt?: number;
  state: State;
  problem?: Problem;
  /** For people: what was done, and in which room. */
  verb: string;
  room?: string;
  effect?: Effect;
  /** The task's status that this leads to. Where it is so already, by me, it is done. */
  wants?: string;
  /** Whether the state tells if it was done. Where it does not (counts, found things), a person decides about old ones. */
  readable: boolean;
  tries: number;
  notBefore: number;
  /** Who is sending it, so that two tabs tell apart what is in flight and what was left by a killed one. */
  droppedAt?: number;
}

export type Tap = Pick<Entry, "lane" | "method" | "path" | "verb"> &
  Partial<Pick<Entry, "ifMatch" | "room" | "effect" | "wants" | "at">> & { body?: unknown; readable?: boolean };

export interface Who {
  tenant: string;
  /** The person, as in entries. */
  staff: string;
  /** The token's subject, which is what entries of older builds have. */
  userId?: string | undefined;
  /** The staff id by which the server knows whoever holds a task. */
  staffId?: string | undefined;
}
