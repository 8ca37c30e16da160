// No tap is lost: it is written down, shown, and sent until the server has it or says no.
import { serverIso } from "../api/clock";
import { afterPainted } from "../app/idle";
import { createStore } from "../app/store";
import { session } from "../app/session";
import type { Entry, Tap } from "./entry";
import { channel } from "./lock";
import { isOf, whoOf } from "./person";
import type { Carried } from "./carried";
import { addAll, deviceShelf, holdUnkept } from "./shelf";

export type { Entry, Tap } from "./entry";

/** Everything on the shelf, refused and dropped ones too. */
export const entries = createStore<Entry[]>([]);

/** Whether it is still to be sent. */
export const isWaiting = ({ state }: Entry): boolean => state === "waiting" || state === "sending";

/** Whether whoever is here tapped it. A device may hold the taps of several people. */
export function isMine(entry: Entry): boolean {
  const { who } = session.get();
  return who !== undefined && isOf(entry, whoOf(who));
}

type Heard = { is: "done"; entry: Entry; body: unknown } | { is: "refused"; entry: Entry };
const listeners = new Set<(heard: Heard) => void>();
/** Hears what became of taps, of this tab's and of others'. */
export function onOutcome(listener: (heard: Heard) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What arrived waits no more from the moment in which its answer is told: else it would be counted twice, or not at all, until the list is read again. */
const tell = (heard: Heard) => {
  if (heard.is === "done") entries.set((now) => now.filter((one) => one.seq !== heard.entry.seq));
  for (const listener of listeners) listener(heard);
};

/** `tapped`: there is something new to send; whoever is sending takes it along. */
export const tellTabs = (tapped = false): void => channel?.postMessage({ is: "changed", tapped });

/** Where nothing can be read, what was read before still waits: it is not shown as sent. */
export async function refresh(): Promise<void> {
  const found = await deviceShelf.all().catch(() => undefined);
  if (found) entries.set(found);
}

let signedOut = () => {};
async function loadSending() {
  const { browserWorld, nextLook, pump: send } = await import("./sending");
  const world = browserWorld({
    changed() {
      void refresh();
      tellTabs();
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
  return { world, nextLook, send: () => send(world) };
}

let loading: ReturnType<typeof loadSending> | undefined;
/** What sends: fetched once the page is painted, or when there is something to send. Where it does not come, the next look asks again. */
function sending(): ReturnType<typeof loadSending> {
  if (!loading) {
    loading = loadSending();
    loading.catch(() => (loading = undefined));
  }
  return loading;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what can be sent, and comes back when the next one may be. */
export async function pump(): Promise<void> {
  await refresh();
  if (!entries.get().length) return;
  const part = await sending().catch(() => undefined);
  if (!part) return;
  await part.send().catch(() => {});
  await refresh();
  clearTimeout(timer);
  const { standing, who } = session.get();
  // Whoever has to sign in first is waited for, not looked for.
  const next = standing === "in" && who ? part.nextLook(entries.get(), whoOf(who), Date.now()) : undefined;
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

/** What is tapped by whoever is here, now. */
function entryOf({ body, readable, ...rest }: Tap): Omit<Entry, "seq"> {
  const who = session.get().who;
  return {
    at: serverIso(),
    ...rest,
    key: crypto.randomUUID(),
    tenant: who?.tenantId ?? "",
    staff: who ? whoOf(who).staff : "",
    body: body === undefined ? "" : JSON.stringify(body),
    readable: readable ?? rest.wants !== undefined,
    state: "waiting",
    tries: 0,
    notBefore: 0,
  };
}

/**
 * Writes a tap down, then sends it. Resolves once it is safe on the device, with `kept: false` where the device cannot keep it: then
 * once it was tried, and `sent` says whether the server answered. Until it has, it stands with the others and is tried as long as the
 * tab lives. Photos go before it, in the same lane. A tap that asks for several requests gives them together: none of the next tap's
 * may come between them, and a killed tab has all of them or none.
 */
export async function tap(what: Tap | Tap[], photos?: Carried): Promise<{ kept: boolean; sent: boolean; entry: Entry }> {
  const tapped = [what].flat().map(entryOf);
  try {
    const kept = await addAll([...(photos?.before(tapped[0] as Entry) ?? []), ...tapped], photos?.bytes);
    entries.set((now) => [...now, ...kept]);
    tellTabs(true);
    void pump();
    void registerSync();
    return { kept: true, sent: false, entry: kept.at(-1) as Entry };
  } catch {
    // Without a place to keep them, the words go at least, and at once.
    const held = tapped.map((one) => holdUnkept(photos ? photos.without(one as Entry) : one));
    addEventListener("beforeunload", warnOfUnkept);
    await pump();
    const now = held.map(({ seq }) => entries.get().find((one) => one.seq === seq));
    return { kept: false, sent: now.every((one) => !one || one.state === "refused"), entry: now.at(-1) ?? (held.at(-1) as Entry) };
  }
}

/** Whoever closes the tab loses what only the tab has. */
function warnOfUnkept(event: Event): void {
  if (entries.get().some((one) => one.seq < 0 && one.state !== "dropped")) event.preventDefault();
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
  // What waited for somebody to sign in goes as soon as they have.
  let standing = session.get().standing;
  session.subscribe(() => {
    const before = standing;
    standing = session.get().standing;
    if (standing === "in" && before !== "in") void pumpNow();
  });
  setInterval(() => void pump(), 15_000);
  afterPainted(() => void sending().catch(() => undefined));
  void pump();
}
