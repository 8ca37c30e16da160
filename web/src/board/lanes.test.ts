// Whose work is whose: everybody at work has a lane, and those who clean come first.
import { describe, expect, it } from "vitest";
import type { BoardStaff } from "../api/types";
import type { Shown } from "../live/overlay";
import { byDuty, lanesOf } from "./lanes";

const person = (staffId: string, job?: BoardStaff["job"]) => ({ staffId, job, shiftId: "shf_1", capacityMinutes: 480, loadMinutes: 0, languages: [], onBreak: false }) as unknown as BoardStaff;
const ids = (people: BoardStaff[]) => people.map((one) => one.staffId);

describe("who is given rooms", () => {
  it("those who clean, and the desk by hand only", () => {
    const found = byDuty([person("desk", "other"), person("gul", "cleaning"), person("chief", "overseeing")]);
    expect([ids(found.clean), ids(found.others)]).toEqual([["gul"], ["desk", "chief"]]);
  });
  it("the supervisor where nobody cleans", () => {
    const found = byDuty([person("desk", "other"), person("chief", "overseeing")]);
    expect([ids(found.clean), ids(found.others)]).toEqual([["chief"], ["desk"]]);
  });
  it("everybody of a copy that knows no jobs", () => {
    expect(ids(byDuty([person("gul"), person("nas")]).clean)).toEqual(["gul", "nas"]);
  });
  it("everybody at work has a lane, whoever cleans first", () => {
    const board = { rooms: [], tasks: [], staff: [person("desk", "other"), person("gul", "cleaning")] } as unknown as Shown;
    expect(lanesOf(board, () => true).lanes.map((lane) => lane.staffId)).toEqual(["", "gul", "desk"]);
  });
});
