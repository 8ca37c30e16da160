// No tap is lost: it is written down, shown, and sent until the server has it or says no.
import { serverIso } from "../api/clock";
import { createStore } from "../app/store";
import { session } from "../app/session";
import type { Entry, Tap } from "./entry";
import { nextLook } from "./rules";
import { pump as pumpOnce } from "./sender";
import { deviceShelf } from "./shelf";
import { browserWorld } from "./world";

export type { Entry, Tap } from "./entry";

/** Everything on the shelf, refused and dropped ones too. */
export const entries = createStore<Entry[]>([]);

type Heard = { is: "done"; entry: Entry; body: unknown } | { is: "refused"; entry: Entry };
const listeners = new Set<(heard: Heard) => void>();
/** Hears what became of taps, of this tab's and of others'. */
export function onOutcome(listener: (heard: Heard) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("melmastoon.outbox");
const tell = (heard: Heard) => {
  for (const listener of listeners) listener(heard);
};

export async function refresh(): Promise<void> {
  entries.set(await deviceShelf.all().catch(() => []));
}

let signedOut = () => {};
const world = browserWorld({
  changed() {
    void refresh();
    channel?.postMessage({ is: "changed" });
  },
  done(entry, body) {
    tell({ is: "done", entry, body });
    channel?.postMessage({ is: "done", entry, body });
  },
  refused(entry) {
    tell({ is: "refused", entry });
    channel?.postMessage({ is: "refused", entry });
  },
  signedOut: () => signedOut(),
});

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what can be sent, and comes back when the next one may be. */
export async function pump(): Promise<void> {
  await pumpOnce(world).catch(() => {});
  await refresh();
  clearTimeout(timer);
  const who = session.get().who;
  const next = who && nextLook(entries.get(), who.userId, Date.now());
  if (next !== undefined) timer = setTimeout(() => void pump(), Math.max(250, next - Date.now()));
}

/** Tries everything now, whatever it was waiting for: the net came back, somebody asks. */
export async function pumpNow(): Promise<void> {
  for (const entry of await deviceShelf.all().catch(() => [])) {
    if (entry.state === "waiting" && entry.notBefore > Date.now()) {
      await deviceShelf.change(entry.seq, (now) => ({ ...now, notBefore: 0 })).catch(() => undefined);
    }
  }
  await pump();
}

/**
 * Writes a tap down, then sends it. Resolves once it is safe on the device, with `kept: false` where the device cannot
 * keep it: then it is sent at once and the caller says so.
 */
export async function tap(what: Tap): Promise<{ kept: boolean; entry: Entry }> {
  const { body, readable, ...rest } = what;
  const who = session.get().who;
  const entry: Omit<Entry, "seq"> = {
    at: serverIso(),
    ...rest,
    key: crypto.randomUUID(),
    tenant: who?.tenantId ?? "",
    staff: who?.userId ?? "",
    body: body === undefined ? "" : JSON.stringify(body),
    readable: readable ?? rest.wants !== undefined,
    state: "waiting",
    tries: 0,
    notBefore: 0,
  };
  try {
    const kept = await deviceShelf.add(entry);
    entries.set((now) => [...now, kept]);
    channel?.postMessage({ is: "changed" });
    void pump();
    void registerSync();
    return { kept: true, entry: kept };
  } catch {
    const loose = { ...entry, seq: -1 };
    void world.send(loose).then(
      (answer) => {
        if (answer.problem) tell({ is: "refused", entry: { ...loose, state: "refused", problem: answer.problem } });
        else tell({ is: "done", entry: loose, body: answer.body });
      },
      () => tell({ is: "refused", entry: { ...loose, state: "refused" } }),
    );
    return { kept: false, entry: loose };
  }
}

/** Again, with a new key, in its old place; with another version where the person has seen the newer state. */
export async function again(seq: number, changes: Partial<Pick<Entry, "ifMatch" | "body">> & { dropIfMatch?: boolean } = {}): Promise<void> {
  const { dropIfMatch, ...rest } = changes;
  await deviceShelf.change(seq, (entry) => {
    const { firstTriedAt: _tried, problem: _problem, droppedAt: _dropped, ...kept } = entry;
    if (dropIfMatch) delete kept.ifMatch;
    return { ...kept, ...rest, key: crypto.randomUUID(), state: "waiting", tries: 0, notBefore: 0 };
  });
  await refresh();
  channel?.postMessage({ is: "changed" });
  void pump();
}

/** Not sent any more; kept for seven days, in case. */
export async function drop(seq: number): Promise<void> {
  await deviceShelf.change(seq, (entry) => ({ ...entry, state: "dropped", droppedAt: Date.now() }));
  await refresh();
  channel?.postMessage({ is: "changed" });
  void pump();
}

async function registerSync(): Promise<void> {
  const ready = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  const sync = (ready as { sync?: { register(tag: string): Promise<void> } } | undefined)?.sync;
  await sync?.register("outbox").catch(() => {});
}

/** Begins sending: now, when the net or the eye comes back, and every fifteen seconds. */
export function startOutbox(options: { onSignedOut: () => void }): void {
  signedOut = options.onSignedOut;
  channel?.addEventListener("message", ({ data }: MessageEvent<Heard | { is: "changed" }>) => {
    void refresh();
    if (data.is !== "changed") tell(data);
  });
  addEventListener("online", () => void pumpNow());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void pumpNow();
  });
  setInterval(() => void pump(), 15_000);
  void refresh().then(pump);
}
