import "fake-indexeddb/auto";
import { afterEach, expect, it, vi } from "vitest";
import { live } from "../live/state";
import { watchIdle } from "./idle-lock";
import { go } from "./router";
import { session } from "./session";

const MINUTE = 60_000;
let stop = () => {};

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function onTheBoard(): Promise<void> {
  localStorage.clear();
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  go("/board");
  live.set("live");
  session.set({ standing: "in", who: { userId: "u", roles: ["supervisor"] } as never });
  stop = watchIdle();
}

it("covers a board that nobody touches in any tab", async () => {
  await onTheBoard();
  await vi.advanceTimersByTimeAsync(16 * MINUTE);
  expect(session.get().standing).toBe("locked");
});

it("does not cover a board while somebody works in another tab", async () => {
  await onTheBoard();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  // The other tab's hand: its own page tells when it was touched.
  localStorage.setItem("melmastoon.touched", String(Date.now()));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(session.get().standing).toBe("in");
  await vi.advanceTimersByTimeAsync(6 * MINUTE);
  expect(session.get().standing).toBe("locked");
});

it("tells the other tabs of a touch, and believes no time to come", async () => {
  await onTheBoard();
  dispatchEvent(new Event("keydown"));
  expect(Number(localStorage.getItem("melmastoon.touched"))).toBe(Date.now());
  localStorage.setItem("melmastoon.touched", String(Date.now() + 365 * 24 * 60 * MINUTE));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(session.get().standing).toBe("in");
});
