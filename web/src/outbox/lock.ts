// One lock for all tabs and the worker: whoever sends, and whoever changes who is signed in, holds it.
export const LOCK = "melmastoon.outbox";
/** Where they tell each other what changed. */
export const CHANNEL = "melmastoon.outbox";

/** Runs while no other tab changes who is signed in or sends; waits for its turn. */
export function withOutboxLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? (navigator.locks.request(LOCK, work) as Promise<T>) : work();
}
