// The server's words as the pages use them. Fields that the document does not name yet are optional here.
import type { Schemas } from "./client";

export type Board = Omit<Schemas["Board"], "staff"> & { staff: BoardStaff[] };
export type BoardRoom = Schemas["BoardRoom"];
export type BoardStaff = Schemas["BoardStaff"] & { displayName?: string | null; shiftStartsAt?: string | null; shiftEndsAt?: string | null };
export type BoardAlert = Schemas["BoardAlert"];
export type Task = Schemas["Task"];
export type TaskKind = Task["kind"];
export type TaskStatus = Task["status"];
export type Priority = Task["priority"];
export type RoomStatus = BoardRoom["status"];
export type Room = Schemas["Room"];
export type RoomHistory = Schemas["RoomHistory"];
export type Suggestion = Schemas["Suggestion"];
export type SuggestedRow = Suggestion["rows"][number];
export type RowReason = Schemas["RowReason"];
export type Consequences = Schemas["Consequences"];
export type Checklist = Schemas["Checklist"];

export const ROOM_STATUSES: RoomStatus[] = [
  "dirty",
  "cleaning",
  "cleaned",
  "inspected",
  "ready",
  "clean",
  "out_of_order",
  "out_of_service",
];
export const TASK_KINDS: TaskKind[] = ["turnover", "mid_stay_clean", "deep_clean", "post_maintenance", "post_renovation", "inspection"];
export const PRIORITIES: Priority[] = ["urgent", "high", "normal", "low"];
