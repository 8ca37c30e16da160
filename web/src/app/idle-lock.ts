// Covers the page when nobody has touched it for a while. It takes minutes at least, so it comes after the page.
import { live } from "../live/state";
import { withOutboxLock } from "../outbox/lock";
import { personOf } from "../outbox/person";
import { place } from "./router";
import { COVERED, end, leave, session } from "./session";

const MINUTE = 60_000;
const KEY = "melmastoon.lock-minutes";
const TOUCHED = "melmastoon.touched";
/** So often at most the tabs tell each other. */
const TELL_EVERY = 5_000;
const SHARED = "melmastoon.shared";
const LOCKING = new Set(["board", "desk", "chart", "plan"]);

export const lockMinutes = (): number => Math.min(60, Math.max(5, Number(localStorage.getItem(KEY)) || 15));
export const setLockMinutes = (minutes: number): void => localStorage.setItem(KEY, String(minutes));
/** A phone or tablet that several people use; then the day's own page locks too. */
export const isShared = (): boolean => localStorage.getItem(SHARED) === "yes";
export const setShared = (shared: boolean): void => localStorage.setItem(SHARED, shared ? "yes" : "no");

export async function lock(): Promise<void> {
  const { who } = session.get();
  if (who) {
    localStorage.setItem(COVERED, personOf(who));
    leave({ standing: "locked", who });
  }
  await withOutboxLock(end);
}

/** After a quarter of an hour without a touch. Never without a net: nobody could check the PIN. Returns how to end it. */
export function watchIdle(): () => void {
  // The page was opened by a hand, before this came.
  let last = Date.now() - performance.now();
  let told = 0;
  const touched = () => {
    last = Date.now();
    if (last - told < TELL_EVERY) return;
    told = last;
    localStorage.setItem(TOUCHED, String(last));
  };
  // Whoever works in one tab is not away from the others. A time to come is a clock that was set back.
  const lastInAnyTab = () => Math.max(last, Math.min(Date.now(), Number(localStorage.getItem(TOUCHED)) || 0));
  const events = ["pointerdown", "keydown", "wheel", "touchstart"] as const;
  for (const name of events) addEventListener(name, touched, { passive: true, capture: true });
  const look = () => {
    const folder = place.get().page?.folder ?? "";
    const applies = LOCKING.has(folder) || (folder === "my" && isShared());
    if (session.get().standing !== "in" || !applies || live.get() === "offline") return;
    if (Date.now() - lastInAnyTab() > lockMinutes() * MINUTE) void lock();
  };
  const timer = setInterval(look, 5_000);
  return () => {
    clearInterval(timer);
    for (const name of events) removeEventListener(name, touched, { capture: true });
  };
}
