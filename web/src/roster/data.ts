// The week's plan as the staff context tells it.
export interface Assignment {
  assignmentId: string;
  staffId: string;
  role: "primary" | "standby";
  status: string;
}
export interface Shift {
  shiftId: string;
  positionId: string;
  localWindow: { date: string; startLocal: string; endLocal: string };
  primaryHeadcount: number;
  standbyHeadcount: number;
  status: string;
  note?: string | null;
  assignments: Assignment[];
  missingPrimary?: number;
  missingStandby?: number;
  version: number;
}
export interface Roster {
  from: string;
  to: string;
  days: { date: string; shifts: Shift[] }[];
  people: {
    staffId: string;
    givenName: string;
    familyName: string;
    scheduledMinutes?: number;
    leave?: { leaveRequestId: string; from: string; to: string; status: string }[];
    warnings: { code: string; detail: string }[];
  }[];
}
export interface Person {
  staffId: string;
  givenName: string;
  familyName: string;
  positionId: string;
  employmentStatus: string;
}
export interface Leave {
  leaveRequestId: string;
  staffId: string;
  type: string;
  windowLocal: { from: string; to: string };
  reason?: string | null;
  status: "requested" | "approved" | "rejected" | "cancelled";
  version: number;
}
export interface Note {
  handoffNoteId: string;
  fromStaffId: string;
  body: string;
  createdAt?: string;
  writtenAt?: string;
}
