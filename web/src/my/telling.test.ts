// Whoever taps fast, or has a slow phone: what is tapped stands on the shelf in the order in which it was tapped.
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BoardRoom, Task } from "../api/types";
import { session } from "../app/session";
import { overlay } from "../live/overlay";
import { entries, refresh } from "../outbox";
import { whoOf } from "../outbox/person";
import { photoOf } from "../outbox/carried";
import { deviceShelf, rememberWho } from "../outbox/shelf";
import { complete } from "./actions";
import { reportIssue } from "./telling";

const who = { userId: "u", tenantId: "tnt_1", staffId: "stf_1", roles: ["housekeeper"] } as never;
const task = { taskId: "hkt_1", roomId: "rom_1", kind: "mid_stay_clean", status: "in_progress" } as Task;
const room = { roomId: "rom_1", number: "101", status: "cleaning" } as BoardRoom;
const minor = { category: "plumbing", severity: "minor", description: "drips" } as const;
const report = { checklistResults: [], noMaintenanceFound: false };

beforeEach(async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no net")));
  session.set({ standing: "in", who });
  await rememberWho(whoOf(who));
});
afterEach(async () => {
  for (const entry of await deviceShelf.all()) await deviceShelf.remove(entry.seq);
  await refresh();
  vi.unstubAllGlobals();
});

const verbs = async () => (await deviceShelf.all()).map((one) => one.verb);
const statusShown = () => overlay({ tasks: [task], rooms: [room], staff: [] } as never, entries.get()).tasks[0]?.status;

it("a room that is done while the report is still being written down is done after it", async () => {
  const told = reportIssue(task, room, minor, [], "");
  const done = complete(task, room, report);
  await Promise.all([told, done]);
  expect(await verbs()).toEqual(["maintenance", "resume", "complete"]);
  await refresh();
  expect(statusShown()).toBe("completed");
});

it("a report that stops nothing never shows the room as paused, so a tab that is killed leaves it in work", async () => {
  const seen = new Set<string | undefined>();
  const deaf = entries.subscribe(() => seen.add(statusShown()));
  await reportIssue(task, room, minor, [photoOf(new ArrayBuffer(4))], "");
  deaf();
  expect(await verbs()).toEqual(["photo", "maintenance", "resume"]);
  expect([...seen]).toEqual(["in_progress"]);
});
