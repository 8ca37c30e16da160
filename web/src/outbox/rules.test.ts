import { describe, expect, it } from "vitest";
import { NO_ANSWER } from "../api/problem";
import type { Entry, Who } from "./entry";
import { backoff, isTooOld, sendable, verdict } from "./rules";

const entry = (changes: Partial<Entry>): Entry =>
  ({ seq: 1, lane: "a", tenant: "tnt", staff: "anna", state: "waiting", tries: 0, notBefore: 0, wants: "in_progress", ...changes }) as Entry;
const anna: Who = { tenant: "tnt", staff: "anna", userId: "usr_anna" };
const middle = () => 0.5;
const of = (status: number, more = {}) => verdict(entry({}), { ...NO_ANSWER, status, ...more }, middle).is;

describe("what an answer means", () => {
  it("tries again with the same key where nobody knows, or the server asks for patience", () => {
    for (const status of [0, 408, 429, 500, 502, 503, 504]) expect(of(status)).toBe("again");
    expect(of(409, { retryAfter: 1 })).toBe("again");
  });
  it("takes every other refusal as final", () => {
    for (const status of [400, 403, 404, 409, 412, 422]) expect(of(status)).toBe("refused");
  });
  it("waits for the same person after 401", () => expect(of(401)).toBe("signed-out"));
  it("looks whether it is done where the state is the wanted one", () => expect(of(409, { currentStatus: "in_progress" })).toBe("look"));
  it("waits 1 to 60 s, and at least as long as the server says", () => {
    expect(backoff(0, middle)).toBe(1_000);
    expect(backoff(0, () => 0)).toBe(1_000);
    expect(backoff(20, () => 1)).toBe(60_000);
    const patient = verdict(entry({}), { ...NO_ANSWER, status: 503, retryAfter: 90 }, middle);
    expect(patient).toEqual({ is: "again", after: 90_000 });
  });
});

describe("what may be sent", () => {
  it("sends the first of each lane, and nothing behind a refused one", () => {
    const all = [entry({ seq: 1, state: "refused" }), entry({ seq: 2 }), entry({ seq: 3, lane: "b" }), entry({ seq: 4, lane: "b" })];
    expect(sendable(all, anna, 1, new Set()).map((one) => one.seq)).toEqual([3]);
  });
  it("goes on behind a dropped one", () => {
    const all = [entry({ seq: 1, state: "dropped" }), entry({ seq: 2 })];
    expect(sendable(all, anna, 1, new Set()).map((one) => one.seq)).toEqual([2]);
  });
  it("sends nothing of somebody else, nor of somebody of the same name in another hotel", () => {
    expect(sendable([entry({ staff: "bibi" }), entry({ tenant: "other" })], anna, 1, new Set())).toEqual([]);
  });
  it("keeps the order of a lane across a new build that writes differently whose taps they are", () => {
    const all = [entry({ seq: 1, staff: "usr_anna" }), entry({ seq: 2 })];
    expect(sendable(all, anna, 1, new Set()).map((one) => one.seq)).toEqual([1]);
    const stopped = [entry({ seq: 1, staff: "usr_anna", state: "refused" }), entry({ seq: 2 })];
    expect(sendable(stopped, anna, 1, new Set())).toEqual([]);
  });
  it("does not trust a key after 23 hours", () => {
    expect(isTooOld(entry({ firstTriedAt: 0 }), 23 * 3_600_000 + 1)).toBe(true);
    expect(isTooOld(entry({}), 1e12)).toBe(false);
  });
});
