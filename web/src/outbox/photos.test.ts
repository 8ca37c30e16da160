// A photo waits beside the tap that speaks of it, and both get there or neither is forgotten.
import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import type { Entry } from "./entry";
import { behind, named, referenceTo } from "./photos";
import { isTooOld } from "./rules";
import { addAll, deviceShelf } from "./shelf";

const entry = (changes: Partial<Entry>): Omit<Entry, "seq"> => ({
  key: crypto.randomUUID(),
  tenant: "tnt",
  staff: "anna",
  lane: "task",
  method: "POST",
  path: "/",
  body: "{}",
  at: "2026-04-22T06:30:00.000Z",
  state: "waiting",
  verb: "found",
  readable: false,
  tries: 0,
  notBefore: 0,
  ...changes,
});
const speaksOf = (...photos: string[]) => JSON.stringify({ description: "a ring", photoMediaIds: photos.map(referenceTo) });

describe("photos in the outbox", () => {
  it("get the server's name wherever they are spoken of, and nothing else changes", () => {
    expect(named(speaksOf("a", "b"), "a", "med_1")).toBe(JSON.stringify({ description: "a ring", photoMediaIds: ["med_1", referenceTo("b")] }));
    expect(named(JSON.stringify({ issue: { photoMediaIds: [referenceTo("a")] } }), "a", undefined)).toBe(JSON.stringify({ issue: { photoMediaIds: [] } }));
    const other = '{"b": 1,  "a":2}';
    expect(named(other, "a", "med_1")).toBe(other);
  });

  it("are kept with the tap, are given up or named with it, and take no room afterwards", async () => {
    const bytes = new Uint8Array([0xff, 0xd8, 0xff]).buffer;
    const [photo, found, elsewhere] = await addAll(
      [entry({ photo: "a", body: "", verb: "photo" }), entry({ body: speaksOf("a") }), entry({ body: speaksOf("a"), lane: "other" })],
      new Map([["a", bytes]]),
    );
    expect((await deviceShelf.photo("a"))?.byteLength).toBe(3);
    await deviceShelf.remove(photo?.seq ?? 0, behind("a", "med_7"));
    const after = new Map((await deviceShelf.all()).map((one) => [one.seq, one.body]));
    expect(after.get(found?.seq ?? 0)).toContain("med_7");
    expect(after.get(elsewhere?.seq ?? 0)).toContain(referenceTo("a"));
    expect(after.has(photo?.seq ?? 0)).toBe(false);
    expect(await deviceShelf.photo("a")).toBeUndefined();
  });

  it("are never too old to be sent: the server names them by what they show", () => {
    const old = { ...entry({ firstTriedAt: 0 }), seq: 1 };
    expect(isTooOld(old, 24 * 3_600_000)).toBe(true);
    expect(isTooOld({ ...old, photo: "a" }, 24 * 3_600_000)).toBe(false);
  });
});
