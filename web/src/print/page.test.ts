import { expect, it } from "vitest";
import { isWorkOf } from "./page";

it("a room stands on the paper of whoever has it and of whoever helps there", () => {
  const task = { status: "assigned", assigneeStaffId: "stf_anna", helperStaffIds: ["stf_bibi"] } as const;
  const papers = (one: Parameters<typeof isWorkOf>[0]) => ["stf_anna", "stf_bibi", "stf_carla"].filter((staffId) => isWorkOf(one, staffId));
  expect(papers({ ...task, helperStaffIds: [...task.helperStaffIds] })).toEqual(["stf_anna", "stf_bibi"]);
  expect(papers({ ...task, helperStaffIds: [...task.helperStaffIds], status: "completed" })).toEqual([]);
});
