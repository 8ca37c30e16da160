import { afterEach, describe, expect, it, vi } from "vitest";
import { property } from "../app/session";
import type { Effect } from "../outbox/entry";
import { eventOf, standingOf, thingOf } from "./standing";

const HK = "/housekeeping/v1";
const by = { id: "stf_other" };
const ANSWERS: Record<string, unknown> = {
  [`${HK}/tasks/hkt_1`]: { taskId: "hkt_1", version: 7, status: "assigned", priority: "normal" },
  [`${HK}/tasks/hkt_1/history`]: { items: [{ subject: "melmastoon.housekeeping.task.created.v1", at: "a", actor: by }, { subject: "melmastoon.housekeeping.task.reassigned.v1", at: "b", actor: by }] },
  [`${HK}/tasks/hkt_2`]: { taskId: "hkt_2", version: 12, status: "completed" },
  [`${HK}/rooms/rom_1`]: { roomId: "rom_1", version: 31, status: "ready", lastFlippedBy: by, lastCause: "inspection_passed", lastFlippedAt: "c" },
  [`${HK}/lost-and-found/lst_1`]: { id: "lst_1", version: 4 },
  [`${HK}/discrepancies?propertyId=prp_1&limit=500`]: { items: [{ id: "dsc_0", version: 1 }, { id: "dsc_1", version: 3 }] },
};

afterEach(() => vi.unstubAllGlobals());

async function standing(path: string, effect?: Effect) {
  property.set("prp_1");
  vi.stubGlobal("fetch", async (asked: string) => {
    const found = ANSWERS[asked];
    return new Response(JSON.stringify(found ?? { code: "NOT_FOUND" }), { status: found ? 200 : 404 });
  });
  return standingOf({ path: `${HK}${path}`, ...(effect ? { effect } : {}) });
}

describe("what stands against a tap", () => {
  it("is the task, for what is decided about a task", async () => {
    const now = await standing("/tasks/hkt_1/assign", { taskId: "hkt_1", task: { assigneeStaffId: "stf_me" } });
    expect(now).toMatchObject({ version: 7, task: { status: "assigned" }, who: { id: "stf_other", what: "reassigned", at: "b" } });
  });

  it("is the room with the version of its cleaning, for an inspection", async () => {
    const now = await standing("/tasks/hkt_2/inspections", { roomId: "rom_1", room: { status: "ready" } });
    expect(now).toMatchObject({ version: 12, room: { status: "ready" }, who: { what: "inspection_passed" } });
    expect(now.task).toBeUndefined();
  });

  it("is the room, for a status by hand", async () => {
    expect(await standing("/rooms/rom_1/status", { roomId: "rom_1", room: { status: "dirty" } })).toMatchObject({ version: 31, room: { status: "ready" } });
  });

  it("is the thing, for what was left behind", async () => {
    expect(await standing("/lost-and-found/lst_1/match")).toEqual({ version: 4 });
  });

  it("is the discrepancy, where desk and house disagree", async () => {
    expect(await standing("/discrepancies/dsc_1/resolve")).toEqual({ version: 3 });
    expect(await standing("/discrepancies/dsc_9/resolve")).toEqual({ version: undefined });
  });

  it("is nothing, where a path names no thing that has a version", async () => {
    expect(thingOf(`${HK}/lost-and-found`)).toBeUndefined();
    expect(thingOf("/staff/v1/clock/punches")).toBeUndefined();
    expect(await standing("/tasks")).toEqual({});
  });

  it("says what happened last, also where a subject has no version", () => {
    expect(eventOf("melmastoon.housekeeping.task.reassigned.v1")).toBe("reassigned");
    expect(eventOf("housekeeping.task.helper_joined")).toBe("helper_joined");
  });
});
