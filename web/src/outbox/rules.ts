// What an answer means for a tap, and when to try again. Pure, so that the model test can walk through all of it.
import type { Problem } from "../api/problem";
import type { Entry, Who } from "./entry";
import { isOf } from "./person";

const HOUR = 3_600_000;
/** The server forgets keys after 24 h. */
export const KEY_GOOD_FOR = 23 * HOUR;
/** A request gives up after 30 s; so long after the last one, none can arrive any more. */
export const ON_THE_WAY_FOR = 60_000;
export const DROPPED_KEPT_FOR = 7 * 24 * HOUR;
export const AT_ONCE = 3;

export type Verdict =
  /** The server has it. */
  | { is: "done" }
  /** Nobody knows whether it arrived, or the server asks for patience: the same key again. */
  | { is: "again"; after: number }
  /** Nobody is signed in any more: it waits for the same person. */
  | { is: "signed-out" }
  /** It may be done already: look. */
  | { is: "look" }
  | { is: "refused" };

export function verdict(entry: Entry, problem: Problem | undefined, random: () => number): Verdict {
  if (!problem) return { is: "done" };
  const { status, retryAfter } = problem;
  const patience = status === 0 || status === 408 || status === 429 || status >= 500 || (status === 409 && retryAfter !== undefined);
  if (patience) return { is: "again", after: Math.max(backoff(entry.tries, random), (retryAfter ?? 0) * 1_000) };
  if (status === 401) return { is: "signed-out" };
  if (status === 409 && entry.wants && problem.currentStatus === entry.wants) return { is: "look" };
  return { is: "refused" };
}

/** 1, 2, 4 … 60 s, each spread by a quarter, so that a house full of phones does not come back in one moment. */
export function backoff(tries: number, random: () => number): number {
  const base = Math.min(60_000, 1_000 * 2 ** Math.min(tries, 6));
  return Math.min(60_000, Math.max(1_000, Math.round(base * (0.75 + random() * 0.5))));
}

/** The first of each lane that may be sent now by this person. What is refused stops its lane. */
export function sendable(entries: Entry[], who: Who, now: number, inFlight: Set<number>): Entry[] {
  const lanes = new Set<string>();
  const found: Entry[] = [];
  for (const entry of entries) {
    if (entry.state === "dropped") continue;
    const mine = isOf(entry, who);
    // One's own are one lane, also where an older build wrote whose they are in another way.
    const lane = mine ? entry.lane : `${entry.tenant} ${entry.staff} ${entry.lane}`;
    if (lanes.has(lane)) continue;
    lanes.add(lane);
    if (!mine || entry.state === "refused" || inFlight.has(entry.seq)) continue;
    if (entry.notBefore <= now) found.push(entry);
  }
  return found;
}

/** When to look again on its own, or undefined where nothing waits for time to pass. */
export function nextLook(entries: Entry[], who: Who, now: number): number | undefined {
  const times = sendable(entries, who, Infinity, new Set()).map((entry) => Math.max(entry.notBefore, now));
  return times.length ? Math.min(...times) : undefined;
}

/** Its key may be forgotten: what was first tried over 23 h ago is not sent blindly. */
export const isTooOld = (entry: Entry, now: number): boolean =>
  // A photo needs no key: the same one again is the one that is there.
  !entry.photo && entry.firstTriedAt !== undefined && now - entry.firstTriedAt > KEY_GOOD_FOR;
