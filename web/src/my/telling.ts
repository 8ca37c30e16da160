// What is told in a dialog of its own: something broken, something found, a wish for leave. Fetched with the dialog, after the day.
import { HOUSEKEEPING } from "../api/client";
import type { BoardRoom, Task } from "../api/types";
import { property } from "../app/session";
import type { Tap } from "../outbox";
import { keep } from "../outbox/keep";
import { type Photo, carried } from "../outbox/carried";
import { RESUME, stepOf } from "./actions";

export interface Issue {
  category: string;
  severity: "info" | "minor" | "blocking";
  description: string;
}

const namesOf = (photos: Photo[]) => (photos.length ? { photoMediaIds: photos.map((one) => one.reference) } : {});

/** What blocks the room ends the task; with anything less the work goes on at once. The photos go before the report. */
export function reportIssue(task: Task, room: BoardRoom | undefined, what: Issue, photos: Photo[], said: string): Promise<boolean> {
  const issue = { ...what, ...namesOf(photos) };
  const told = { what: "maintenance-required", verb: "maintenance" };
  if (issue.severity === "blocking") {
    const body = { issue, outcome: "convert_terminal" };
    return keep(stepOf(task, room, { ...told, wants: "requires_maintenance", body, room: "out_of_order" }), said, carried(photos));
  }
  // One tap, two requests: whoever is done right after it is done after both.
  const pause = stepOf(task, room, { ...told, wants: "paused", body: { issue, outcome: "pause" } });
  return keep([pause, stepOf(task, room, RESUME)], said, carried(photos));
}

export function found(room: BoardRoom, description: string, photos: Photo[], said: string): Promise<boolean> {
  const what: Tap = {
    lane: `found ${room.roomId}`,
    method: "POST",
    path: `${HOUSEKEEPING}/lost-and-found`,
    verb: "found",
    room: room.number ?? "",
    body: { propertyId: property.get(), roomId: room.roomId, description, ...namesOf(photos) },
  };
  return keep(what, said, carried(photos));
}

export function askLeave(type: string, from: string, to: string, said: string): Promise<boolean> {
  return keep({ lane: "leave", method: "POST", path: "/staff/v1/leave", verb: "leave", body: { type, windowLocal: { from, to } } }, said);
}
