// Where everything of a week stands: days from left to right as they are read, above the shifts of each day, below a row for each person.
import type { Assignment, Roster, Shift } from "./data";

type Person = Roster["people"][number];
export interface Row {
  person: Person;
  /** The first line of the row, counted from the head of the table, and how many it takes: two shifts on one day stand below each other. */
  line: number;
  lines: number;
}
export interface Layout {
  rows: Row[];
  /** Lines in all, the head of the table among them. */
  lines: number;
  /** On which line a shift, a place on it, or somebody's leave on a day stands. */
  shift: Map<string, number>;
  assignment: Map<string, number>;
  leave: Map<string, number>;
}

export const activeOf = (shift: Shift): Assignment[] => shift.assignments.filter((one) => one.status === "active");
export const isOpen = (shift: Shift): boolean => shift.status === "scheduled" || shift.status === "started";
export function missingOf(shift: Shift): number {
  return shift.missingPrimary ?? Math.max(0, shift.primaryHeadcount - activeOf(shift).filter((one) => one.role === "primary").length);
}

/** Who is away on a day, or has asked to be. */
export const leaveOn = (person: Person, date: string) => person.leave?.find((one) => one.from <= date && date <= one.to && (one.status === "approved" || one.status === "requested"));
export const leaveKey = (person: Person, date: string): string => `${person.staffId} ${date}`;

export function layOut(roster: Roster, jobName: (positionId: string) => string): Layout {
  const shift = new Map<string, number>();
  const [assignment, leave] = [new Map<string, number>(), new Map<string, number>()];
  let heads = 1;
  for (const day of roster.days) {
    // Where somebody is missing comes first: that is what one looks for. What begins at one time stands in one order on all days.
    const order = (a: Shift, b: Shift) => a.localWindow.startLocal.localeCompare(b.localWindow.startLocal) || jobName(a.positionId).localeCompare(jobName(b.positionId));
    const sorted = [...day.shifts].sort((a, b) => Number(isMissing(b)) - Number(isMissing(a)) || order(a, b));
    sorted.forEach((one, index) => shift.set(one.shiftId, 2 + index));
    heads = Math.max(heads, sorted.length);
  }
  let line = 2 + heads;
  const rows = peopleOf(roster, jobName).map((person): Row => {
    const first = line;
    let lines = 1;
    for (const day of roster.days) {
      let at = first;
      if (leaveOn(person, day.date)) leave.set(leaveKey(person, day.date), at++);
      const own = day.shifts.flatMap((one) => activeOf(one).filter((it) => it.staffId === person.staffId).map((it) => ({ it, from: one.localWindow.startLocal })));
      for (const { it } of own.sort((a, b) => a.from.localeCompare(b.from))) assignment.set(it.assignmentId, at++);
      lines = Math.max(lines, at - first);
    }
    line += lines;
    return { person, line: first, lines };
  });
  return { rows, lines: line - 1, shift, assignment, leave };
}

const isMissing = (shift: Shift) => isOpen(shift) && missingOf(shift) > 0;

/** Those of one job together, then in the order of names, and never as a ranking; whoever has no shift comes last. */
function peopleOf(roster: Roster, jobName: (positionId: string) => string): Person[] {
  const job = new Map<string, string>();
  const known = new Set(roster.people.map((one) => one.staffId));
  const others: Person[] = [];
  for (const shift of roster.days.flatMap((day) => day.shifts)) {
    for (const { staffId } of activeOf(shift)) {
      if (!job.has(staffId)) job.set(staffId, jobName(shift.positionId));
      if (!known.has(staffId)) others.push({ staffId, givenName: "", familyName: "", warnings: [] });
      known.add(staffId);
    }
  }
  const name = (one: Person) => `${one.givenName} ${one.familyName}`;
  const rank = (one: Person) => Number(!job.has(one.staffId));
  return [...roster.people, ...others].sort((a, b) => rank(a) - rank(b) || (job.get(a.staffId) ?? "").localeCompare(job.get(b.staffId) ?? "") || name(a).localeCompare(name(b)));
}
