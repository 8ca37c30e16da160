// The cleaning that an inspection would be about: the room knows it, the board does not.
import { api, read } from "../api/client";
import type { Room, Task } from "../api/types";

export async function cleaningOf(roomId: string): Promise<{ taskId: string; version: number } | undefined> {
  const room = await read<Room>(api.GET("/housekeeping/v1/rooms/{roomId}", { params: { path: { roomId } } }));
  const taskId = room.lastCleaning?.taskId ?? room.lastTaskId;
  if (!taskId) return undefined;
  const task = await read<Task>(api.GET("/housekeeping/v1/tasks/{id}", { params: { path: { id: taskId } } }));
  return { taskId, version: task.version };
}
