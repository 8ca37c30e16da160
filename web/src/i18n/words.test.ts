// Every word that the server may say has a message: the server writes them all down in a golden file of its own.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import en from "./en.json";
import { speak, t } from "./index";

const golden = JSON.parse(readFileSync(resolve(process.cwd(), "../server/tests/golden/web-words.json"), "utf8")) as {
  problems: string[];
  words: Record<string, string[]>;
};

/** Where the server's words are shown, and by which messages. */
const SHOWN: Record<string, string> = {
  "BoardRoom.occupancy": "occupancy",
  "BoardRoom.status": "roomStatus",
  "Consequences.obstacle": "obstacle",
  "Discrepancy.resolution": "resolution",
  "DisposeItem.method": "disposal",
  "Fail.reason": "failReason",
  "Inspect.outcome": "outcome",
  "LeaveRequest.status": "leaveStatus",
  "LeaveRequest.type": "leaveType",
  "LostItem.status": "lostStatus",
  "MaintenanceIssue.severity": "severity",
  "Pause.reason": "pauseReason",
  "RoomHistoryItem.cause": "cause",
  RoutingGate: "routingGate",
  "Shift.status": "shiftStatus",
  "Suggestion.note": "planNote",
  "Suggestion.status": "planStatus",
  "Task.kind": "kind",
  "Task.priority": "priority",
  "Task.status": "taskStatus",
  "Warning.code": "warning",
  alert: "alert",
  alertReason: "alertReason",
  rowBecause: "because",
  rowOutcome: "rowOutcome",
  taskEvent: "event",
};

describe("the server's words", () => {
  it.each(Object.entries(SHOWN))("%s has a message for each", (name, group) => {
    const words = golden.words[name];
    expect(words, `${name} is not in the golden file any more`).toBeDefined();
    expect(words?.filter((word) => !(`${group}.${word}` in en))).toEqual([]);
  });

  it("every reason of the planner has a message, with its plural where it counts something", () => {
    const said = (code: string) => `reason.${code}` in en || (`reason.${code}.one` in en && `reason.${code}.other` in en);
    expect(golden.words.planReason?.length).toBeGreaterThan(20);
    expect(golden.words.planReason?.filter((code) => !said(code))).toEqual([]);
  });

  it("every problem has a message", () => {
    const codes = [...new Set(golden.problems.map((code) => code.split(".").at(-1)))];
    expect(codes.filter((code) => !(`problem.${code}` in en))).toEqual([]);
  });
});

it("a room's number is read as it stands on the door, also in a line from right to left", async () => {
  await speak("ps", "chart");
  expect(t("chart.gets", { room: "2-101" })).toContain("\u20682-101\u2069");
  expect(t("chart.gets", { room: "101" })).not.toContain("\u2068");
  await speak("en", "chart");
  expect(t("chart.gets", { room: "2-101" })).toBe("gets room 2-101");
});
