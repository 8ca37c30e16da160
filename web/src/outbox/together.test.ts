// Taps beside each other: one that hangs holds up nobody else, one that the server asked to wait does, and one that waits for a person waits in peace.
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "../app/session";
import { entries, onOutcome, pump, refresh, startOutbox, tap } from "./index";
import { whoOf } from "./person";
import { deviceShelf, rememberWho } from "./shelf";

const who = { userId: "u", tenantId: "tnt_1", staffId: "stf_1", roles: ["housekeeper"] } as never;
const what = (room: string) => ({ lane: room, method: "POST", path: `/housekeeping/v1/rooms/${room}/occupancy`, verb: "occupancy", body: { observed: "vacant" }, room });
const ok = () => new Response("{}", { status: 200 });

/** However busy the machine is. */
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000 });

/** Answers by room; what it does not know is well. */
function server(answers: Record<string, () => Promise<Response> | Response>): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    const room = path.split("/").at(-2) ?? "";
    asked.push(room);
    return (answers[room] ?? ok)();
  });
  return asked;
}

beforeEach(async () => {
  session.set({ standing: "in", who });
  await rememberWho(whoOf(who));
});
afterEach(async () => {
  await soon(async () => expect((await deviceShelf.all()).filter((one) => one.state === "sending")).toEqual([]));
  for (const entry of await deviceShelf.all()) await deviceShelf.remove(entry.seq);
  await refresh();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("goes beside one that hangs, when it is of another lane", async () => {
  let answer: (response: Response) => void = () => {};
  const asked = server({ hangs: () => new Promise<Response>((resolve) => (answer = resolve)) });
  await tap(what("hangs"));
  await soon(() => expect(asked).toEqual(["hangs"]));
  await tap(what("goes"));
  await soon(() => expect(asked).toEqual(["hangs", "goes"]));
  await soon(() => expect(entries.get().map((one) => one.room)).toEqual(["hangs"]));
  answer(ok());
  await soon(() => expect(entries.get()).toEqual([]));
});

it("keeps to the time that the server asked for, also when others get through", async () => {
  const asked = server({ busy: () => new Response("{}", { status: 429, headers: { "retry-after": "50" } }) });
  await tap(what("busy"));
  await soon(() => expect(entries.get()[0]).toMatchObject({ state: "waiting", tries: 1, problem: { status: 429 } }));
  await tap(what("free"));
  await soon(() => expect(entries.get().map((one) => one.room)).toEqual(["busy"]));
  await pump();
  expect(asked).toEqual(["busy", "free"]);
});

it("waits in peace while nobody is signed in, and goes once the same person is", async () => {
  const asked = server({ room: () => new Response("{}", { status: 401 }) });
  startOutbox({
    onSignedOut: () => {
      void rememberWho(undefined);
      session.set({ standing: "locked", who });
    },
  });
  await tap(what("room"));
  await soon(() => expect(session.get().standing).toBe("locked"));
  const timers = vi.spyOn(globalThis, "setTimeout");
  await pump();
  expect(timers.mock.calls.filter(([, after]) => after === 250)).toEqual([]);
  expect(asked).toEqual(["room"]);
  server({});
  await rememberWho(whoOf(who));
  session.set({ standing: "in", who });
  await soon(() => expect(entries.get()).toEqual([]));
});

it("is not shown as sent where the device cannot be read for a moment", async () => {
  server({ room: () => Promise.reject(new TypeError("no net")) });
  await tap(what("room"));
  await soon(() => expect(entries.get()[0]).toMatchObject({ state: "waiting", tries: 1 }));
  const read = vi.spyOn(deviceShelf, "all").mockRejectedValue(new DOMException("lost", "UnknownError"));
  await refresh();
  expect(entries.get()).toHaveLength(1);
  read.mockRestore();
});

it("is kept after another tab has closed the shelf for a newer build", async () => {
  server({ room: () => Promise.reject(new TypeError("no net")) });
  await new Promise<void>((resolve, reject) => {
    const cleared = indexedDB.deleteDatabase("melmastoon");
    cleared.onsuccess = () => resolve();
    cleared.onerror = () => reject(cleared.error);
  });
  expect((await tap(what("room"))).kept).toBe(true);
});

it("waits no more from the moment in which its answer is told: else it would be counted twice", async () => {
  server({});
  const waiting: string[][] = [];
  const deaf = onOutcome(() => waiting.push(entries.get().map((one) => one.room ?? "")));
  await tap(what("arrives"));
  await soon(() => expect(waiting).toEqual([[]]));
  deaf();
});
