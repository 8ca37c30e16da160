import { expect, it } from "vitest";
import type { Roster, Shift } from "./data";
import { layOut, leaveKey } from "./layout";

const shift = (shiftId: string, startLocal: string, people: string[], more: Partial<Shift> = {}): Shift => ({
  shiftId,
  positionId: "cleaning",
  localWindow: { date: "", startLocal, endLocal: "" },
  primaryHeadcount: people.length,
  standbyHeadcount: 0,
  status: "scheduled",
  assignments: people.map((staffId) => ({ assignmentId: `${shiftId} ${staffId}`, staffId, role: "primary", status: "active" })),
  version: 1,
  ...more,
});
const person = (staffId: string, givenName: string, more: object = {}) => ({ staffId, givenName, familyName: "", warnings: [], ...more });
const week = (people: Roster["people"], ...days: [string, ...Shift[]][]): Roster => ({ from: "", to: "", people, days: days.map(([date, ...shifts]) => ({ date, shifts })) });

it("puts shifts where somebody is missing above those that are full, and people below all of them", () => {
  const placed = layOut(week([person("a", "Anar")], ["2026-11-21", shift("early", "06:00", ["a"]), shift("late", "14:00", [], { missingPrimary: 1 })], ["2026-11-22"]), (job) => job);
  expect([placed.shift.get("late"), placed.shift.get("early")]).toEqual([2, 3]);
  expect(placed.rows.map((row) => [row.person.staffId, row.line])).toEqual([["a", 4]]);
  expect(placed.assignment.get("early a")).toBe(4);
});

it("puts shifts that begin at one time in one order on every day", () => {
  const both = (day: string) => [shift(`${day} desk`, "06:00", [], { positionId: "desk" }), shift(`${day} rooms`, "06:00", [], { positionId: "rooms" })];
  const placed = layOut(week([], ["2026-11-21", ...both("one")], ["2026-11-22", ...both("two").reverse()]), (job) => job);
  expect(["one desk", "one rooms", "two desk", "two rooms"].map((id) => placed.shift.get(id))).toEqual([2, 3, 2, 3]);
});

it("gives two shifts of one person on one day a line each, and moves the next person down", () => {
  const both = [shift("early", "06:00", ["a", "b"]), shift("late", "18:00", ["a"])];
  const placed = layOut(week([person("b", "Bilal"), person("a", "Anar")], ["2026-11-21", ...both]), (job) => job);
  expect(placed.rows).toMatchObject([{ person: { staffId: "a" }, line: 4, lines: 2 }, { person: { staffId: "b" }, line: 6, lines: 1 }]);
  expect([placed.assignment.get("early a"), placed.assignment.get("late a"), placed.assignment.get("early b")]).toEqual([4, 5, 6]);
  expect(placed.lines).toBe(6);
});

it("shows leave on each of its days, also beside a shift, and people without work last", () => {
  const away = person("a", "Anar", { leave: [{ leaveRequestId: "l", from: "2026-11-20", to: "2026-11-21", status: "approved" }] });
  const busy = person("b", "Bilal", { leave: [{ leaveRequestId: "m", from: "2026-11-22", to: "2026-11-22", status: "requested" }] });
  const placed = layOut(week([away, busy], ["2026-11-21"], ["2026-11-22", shift("one", "06:00", ["b"])]), (job) => job);
  expect(placed.rows.map((row) => row.person.staffId)).toEqual(["b", "a"]);
  expect(placed.leave.get(leaveKey(busy, "2026-11-22"))).toBe(3);
  expect(placed.assignment.get("one b")).toBe(4);
  expect([...placed.leave.keys()]).toEqual(["b 2026-11-22", "a 2026-11-21"]);
});

it("has a row for whoever is on a shift and not among the people told", () => {
  expect(layOut(week([], ["2026-11-21", shift("one", "06:00", ["x"])]), (job) => job).rows.map((row) => row.person.staffId)).toEqual(["x"]);
});
