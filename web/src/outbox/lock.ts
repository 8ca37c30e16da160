// One lock for all tabs and the worker: whoever sends, and whoever changes who is signed in, holds it.
import { rememberWho } from "./shelf";

export const LOCK = "melmastoon.outbox";
/** Where they tell each other what changed. */
export const CHANNEL = "melmastoon.outbox";
export const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);

/** Changes who is signed in while nobody sends. What hangs on half-open Wi-Fi is given up for it: its key makes trying again harmless. */
export async function withOutboxLock<T>(work: () => Promise<T>): Promise<T> {
  await rememberWho(undefined).catch(() => {});
  channel?.postMessage({ is: "changed", yields: true });
  return navigator.locks ? (navigator.locks.request(LOCK, work) as Promise<T>) : work();
}
