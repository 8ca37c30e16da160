// The shelf in IndexedDB keeps what the model's shelf keeps.
import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { NO_ANSWER } from "../api/problem";
import { type World, sendNow } from "./sender";
import { copies, deviceShelf, rememberWho } from "./shelf";

const entry = (lane: string) => ({
  key: crypto.randomUUID(),
  tenant: "tnt",
  staff: "anna",
  lane,
  method: "POST",
  path: "/",
  body: "{}",
  at: "2026-04-22T06:30:00.000Z",
  state: "waiting" as const,
  verb: "start",
  readable: true,
  tries: 0,
  notBefore: 0,
});

describe("the shelf on the device", () => {
  it("keeps entries in the order of taps and never gives a place twice", async () => {
    const first = await deviceShelf.add(entry("a"));
    const second = await deviceShelf.add(entry("a"));
    await deviceShelf.remove(second.seq);
    const third = await deviceShelf.add(entry("b"));
    expect(third.seq).toBeGreaterThan(second.seq);
    expect((await deviceShelf.all()).map((one) => one.seq)).toEqual([first.seq, third.seq]);
  });

  it("changes only what is still there", async () => {
    const kept = await deviceShelf.add(entry("c"));
    expect((await deviceShelf.change(kept.seq, (now) => ({ ...now, state: "sending" })))?.state).toBe("sending");
    await deviceShelf.remove(kept.seq);
    expect(await deviceShelf.change(kept.seq, (now) => now)).toBeUndefined();
  });

  it("forgets copies at log-out and keeps the outbox", async () => {
    await copies.put("board", { rooms: [] }, 1);
    await rememberWho({ tenant: "tnt", staff: "anna" });
    const before = (await deviceShelf.all()).length;
    await copies.clear();
    await rememberWho(undefined);
    expect(await copies.get("board")).toBeUndefined();
    expect(await deviceShelf.who()).toBeUndefined();
    expect((await deviceShelf.all()).length).toBe(before);
  });
});

describe("sending by the worker, while no page is open", () => {
  const worldOf = (send: World["send"]): World => ({
    shelf: deviceShelf,
    send,
    look: async () => undefined,
    alone: (work) => work(),
    now: Date.now,
    random: () => 0.5,
    newKey: () => crypto.randomUUID(),
    changed: () => {},
    done: () => {},
    refused: () => {},
    signedOut: () => {},
  });

  it("does not wait for a time that was set before, and says when it must be woken again", async () => {
    for (const one of await deviceShelf.all()) await deviceShelf.remove(one.seq);
    await rememberWho({ tenant: "tnt", staff: "anna" });
    await deviceShelf.add({ ...entry("late"), notBefore: Date.now() + 60_000 });
    await deviceShelf.add({ ...entry("other"), staff: "bibi" });
    expect(await sendNow(worldOf(async () => ({ problem: NO_ANSWER })))).toBe(false);
    const sent: string[] = [];
    const all = worldOf(async (one) => {
      sent.push(one.lane);
      return {};
    });
    expect(await sendNow(all)).toBe(true);
    expect(sent).toEqual(["late"]);
    expect((await deviceShelf.all()).map((one) => one.staff)).toEqual(["bibi"]);
  });

  it("is not woken again for what stands behind a refusal", async () => {
    for (const one of await deviceShelf.all()) await deviceShelf.remove(one.seq);
    await deviceShelf.add({ ...entry("stopped"), state: "refused" });
    await deviceShelf.add(entry("stopped"));
    expect(await sendNow(worldOf(async () => ({})))).toBe(true);
  });
});
