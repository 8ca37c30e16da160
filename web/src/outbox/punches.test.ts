import { describe, expect, it } from "vitest";
import type { Entry } from "./entry";
import { PUNCHES, REPLAY } from "./paths";
import { prepare, refusedIn } from "./punches";

const at = "2026-04-22T06:30:00.000Z";
const punch = { kind: "in", at, propertyId: "prp_1", source: "web", deviceId: "d", clientPunchId: "c" };
const entry = { path: PUNCHES, at, key: "k", body: JSON.stringify(punch), firstTriedAt: 1 } as Entry;

describe("punches that waited", () => {
  it("go as they are while they are fresh", () => expect(prepare(entry, Date.parse(at) + 3 * 60_000)).toBeUndefined());
  it("go as made without a net after four minutes, with the same id and another key", () => {
    const old = prepare(entry, Date.parse(at) + 5 * 60_000);
    expect(old?.path).toBe(REPLAY);
    expect(old?.key).not.toBe("k");
    expect(JSON.parse(old?.body ?? "")).toMatchObject({ deviceId: "d", punches: [{ clientPunchId: "c", kind: "in", at }] });
    expect(old && prepare(old, Date.parse(at) + 1e9)).toBeUndefined();
  });
  it("are refused where the replay says so, though it answers 200", () => {
    const replay = { ...entry, path: REPLAY };
    expect(refusedIn(replay, { results: [{ outcome: "refused", code: "MELMASTOON.STAFF.CLOCK_SEQUENCE" }] })?.code).toBe("CLOCK_SEQUENCE");
    expect(refusedIn(replay, { results: [{ outcome: "duplicate" }] })).toBeUndefined();
  });
});
