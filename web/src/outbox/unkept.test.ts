// Where the device can keep nothing (a private window, a full disk), a tap is not lost in silence: it is sent, shown as refused, or waits in sight.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

vi.mock("idb", () => ({ openDB: () => Promise.reject(new DOMException("no room", "QuotaExceededError")) }));

const { session } = await import("../app/session");
const { entries, onOutcome, pumpNow, tap } = await import("./index");
const { rememberWho } = await import("./shelf");
const { whoOf } = await import("./person");

const who = { userId: "u", tenantId: "tnt_1", staffId: "stf_1", roles: ["housekeeper"] } as never;
const what = { lane: "rom_1", method: "POST", path: "/housekeeping/v1/rooms/rom_1/occupancy", verb: "occupancy", body: { observed: "vacant" }, room: "101" };

beforeEach(async () => {
  session.set({ standing: "in", who });
  await rememberWho(whoOf(who)).catch(() => undefined);
});
afterEach(() => vi.unstubAllGlobals());

it("a refusal is told, and stands with the others until somebody decides", async () => {
  const problem = JSON.stringify({ code: "ROOM_OCCUPIED", status: 409 });
  vi.stubGlobal("fetch", async () => new Response(problem, { status: 409, headers: { "content-type": "application/problem+json" } }));
  const told: string[] = [];
  const deaf = onOutcome((heard) => told.push(heard.is));
  const { kept, sent, entry } = await tap(what);
  deaf();
  expect([kept, sent, told]).toEqual([false, true, ["refused"]]);
  expect(entries.get().find((one) => one.seq === entry.seq)).toMatchObject({ state: "refused", verb: "occupancy" });
});

it("without a net it says that nothing was sent, waits in sight, and goes once there is one", async () => {
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("no net")));
  const { kept, sent, entry } = await tap({ ...what, lane: "rom_2" });
  expect([kept, sent]).toEqual([false, false]);
  expect(entries.get().find((one) => one.seq === entry.seq)?.state).toBe("waiting");
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => (asked.push(new Headers(init.headers).get("idempotency-key") ?? ""), new Response("{}", { status: 200 })));
  await pumpNow();
  expect(entries.get().some((one) => one.seq === entry.seq)).toBe(false);
  expect(asked).toEqual([entry.key]);
});
