// A decision about others carries the version that was seen.
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Task } from "../api/types";
import { session } from "../app/session";
import { entries } from "../outbox";
import { give } from "./actions";

const task = { taskId: "tsk_1", version: 7 } as Task;
const waits = (staff: string) => ({ seq: 1, tenant: "tnt_1", staff, lane: "tsk_1", state: "waiting" }) as never;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("no net")));
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_anna", roles: ["supervisor"] } as never });
});
afterEach(() => vi.unstubAllGlobals());

it("but not behind a tap of one's own that waits; another person's tap changes nothing about it", async () => {
  entries.set([waits("stf_bibi")]);
  await give(task, "101", "stf_x");
  expect(entries.get().at(-1)).toMatchObject({ verb: "assign", ifMatch: '"7"' });
  entries.set([waits("stf_anna")]);
  await give(task, "101", "stf_x");
  expect(entries.get().at(-1)).toMatchObject({ verb: "assign" });
  expect(entries.get().at(-1)).not.toHaveProperty("ifMatch");
});
