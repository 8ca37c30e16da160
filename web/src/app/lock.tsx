// Covers the page until the same person is back. What was typed below stays as it is.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { live } from "../live/state";
import { lazy } from "../ui/lazy";
import { place } from "./router";
import { lock, session } from "./session";

/** The page is covered at once; what is on the cover comes when it is needed. */
const LockInner = lazy(() => import("../login/lock-inner").then((module) => module.LockInner));

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

/** After a quarter of an hour without a touch. Never without a net: nobody could check the PIN. */
export function useIdleLock(): void {
  useEffect(() => {
    let last = Date.now();
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
    const timer = setInterval(() => {
      const folder = place.get().page?.folder ?? "";
      const applies = LOCKING.has(folder) || (folder === "my" && isShared());
      if (session.get().standing !== "in" || !applies || live.get() === "offline") return;
      if (Date.now() - lastInAnyTab() > lockMinutes() * MINUTE) void lock();
    }, 5_000);
    return () => {
      clearInterval(timer);
      for (const name of events) removeEventListener(name, touched, { capture: true });
    };
  }, []);
}

export function Lock() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    // A page may have a dialog of its own open; the lock lies over it.
    if (dialog && !dialog.open) dialog.showModal?.();
    return () => dialog?.close?.();
  }, []);
  return (
    <dialog ref={box} class="lock" data-testid="lock" aria-label={t("app.name")} onCancel={(event) => event.preventDefault()}>
      <LockInner />
    </dialog>
  );
}
