// The cleaning that an inspection would be about: the room knows it, the board does not. Looked up ahead, so that a room can be passed without a net.
import { api, read } from "../api/client";
import { problemOf } from "../api/problem";
import type { BoardRoom, Room, Task } from "../api/types";
import { copies } from "../outbox/shelf";

export interface Cleaning {
  taskId: string;
  version: number;
}
type Of = Pick<BoardRoom, "roomId" | "version">;

/** By room and its version: whatever happens to the room makes it another question. */
const known = new Map<string, Promise<Cleaning | undefined>>();
const nameOf = (room: Of) => `cleaning ${room.roomId} ${room.version}`;

async function lookUp({ roomId }: Of): Promise<Cleaning | undefined> {
  const room = await read<Room>(api.GET("/housekeeping/v1/rooms/{roomId}", { params: { path: { roomId } } }));
  const taskId = room.lastCleaning?.taskId ?? room.lastTaskId;
  if (!taskId) return undefined;
  const task = await read<Task>(api.GET("/housekeeping/v1/tasks/{id}", { params: { path: { id: taskId } } }));
  return { taskId, version: task.version };
}

export function cleaningOf(room: Of): Promise<Cleaning | undefined> {
  const name = nameOf(room);
  let found = known.get(name);
  if (!found) {
    found = lookUp(room).then(
      (cleaning) => {
        if (cleaning) void copies.put(name, cleaning, Date.now()).catch(() => {});
        return cleaning;
      },
      async (error: unknown) => {
        known.delete(name);
        const kept = problemOf(error).status ? undefined : await copies.get<Cleaning>(name);
        if (!kept) throw error;
        return kept.value;
      },
    );
    known.set(name, found);
  }
  return found;
}

/** So many rooms at most are looked up ahead; a supervisor has seldom more before them. */
const AHEAD = 30;

/** One after the other, while there is a net. */
export async function lookAhead(rooms: BoardRoom[]): Promise<void> {
  const waiting = rooms.filter((room) => room.status === "cleaned" && !known.has(nameOf(room))).slice(0, AHEAD);
  for (const room of waiting) {
    const isThere = await cleaningOf(room).then(() => true, () => false);
    if (!isThere) return;
  }
}
