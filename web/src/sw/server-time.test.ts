// A punch that the worker sends, on a phone whose clock is wrong.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serverNow } from "../api/clock";
import type { Entry } from "../outbox/entry";
import { PUNCHES } from "../outbox/paths";
import { prepare } from "../outbox/punches";
import { knowsTime } from "./server-time";

const HOUR = 3_600_000;
const at = new Date(Date.now() - HOUR - 10 * 60_000).toISOString();
const body = { kind: "in", at, propertyId: "prp_1", source: "web", deviceId: "d", clientPunchId: "c" };
const punch = { path: PUNCHES, state: "waiting", at, key: "k", body: JSON.stringify(body) } as Entry;
const shelf = (...entries: Entry[]) => ({ all: async () => entries });
const asked = vi.fn();

beforeEach(() => {
  // As in a worker.
  vi.stubGlobal("localStorage", undefined);
  vi.stubGlobal("fetch", asked);
  asked.mockReset();
  asked.mockImplementation(async () => new Response("{}", { headers: { date: new Date(Date.now() - HOUR).toUTCString() } }));
});
afterEach(() => vi.unstubAllGlobals());

it("is not told before the server's time is known", async () => {
  asked.mockRejectedValue(new TypeError("no net"));
  expect(await knowsTime(shelf(punch))).toBe(false);
});

it("asks nobody where nothing says when it was sent", async () => {
  expect(await knowsTime(shelf({ ...punch, path: "/housekeeping/v1/lost-and-found" }, { ...punch, state: "refused" }))).toBe(true);
  expect(asked).not.toHaveBeenCalled();
});

it("says when it was sent by the server's clock", async () => {
  expect(await knowsTime(shelf(punch))).toBe(true);
  const sentAt = (JSON.parse(prepare(punch, serverNow())?.body ?? "{}") as { sentAt: string }).sentAt;
  expect(Math.abs(Date.parse(sentAt) - (Date.now() - HOUR))).toBeLessThan(5_000);
});
