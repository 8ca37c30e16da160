// The order of one's day.
import { describe, expect, it } from "vitest";
import type { BoardRoom, Task } from "../api/types";
import { type Work, asPlanned } from "./order";

const work = (taskId: string, changes: Partial<Task> = {}): Work => ({
  task: { taskId, status: "assigned", priority: "normal", ...changes } as Task,
  room: { number: taskId } as BoardRoom,
});
const sorted = (all: Work[], order?: string[]) => [...all].sort(asPlanned(order)).map((one) => one.task.taskId);

describe("the order of one's own day", () => {
  it("is the plan's, and by number where there is none", () => {
    const all = [work("101"), work("102"), work("103")];
    expect(sorted(all)).toEqual(["101", "102", "103"]);
    expect(sorted(all, ["103", "101", "102"])).toEqual(["103", "101", "102"]);
  });
  it("puts what is begun first, then what is urgent, and what no plan speaks of last", () => {
    const all = [work("101"), work("102", { priority: "urgent" }), work("103", { status: "in_progress" }), work("104"), work("105", { priority: "high" })];
    expect(sorted(all, ["104", "101"])).toEqual(["103", "102", "104", "101", "105"]);
  });
});
