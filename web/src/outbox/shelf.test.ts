// The shelf in IndexedDB keeps what the model's shelf keeps.
import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
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
