// One tab holds the stream and tells the others: HTTP/1.1 gives a browser six connections. Hidden tabs let go of it.
import { call } from "../api/client";
import { afterPainted } from "../app/idle";
import { signedOutElsewhere } from "../app/session";
import { type Live, live } from "./state";

const HIDDEN_FOR = 2 * 60_000;
const AWAY_FOR = 10 * 60_000;

export type News = { event: string; data: string };
const listeners = new Set<(news: News) => void>();
/** Hears that something of the property has changed: `change`, or `board` with the whole of it. */
export function onNews(listener: (news: News) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type Said = { property: string } & ({ is: "news"; news: News } | { is: "state"; state: Live } | { is: "hello" });
const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("melmastoon.live");

let leading = false;
/** Whether the stream of this tab is open, and how to drop it. */
let isOpen = false;
let dropConnection: (() => void) | undefined;
let property = "";
let stop: (() => void) | undefined;
const wakers = new Set<() => void>();
/** Ends a wait: the net or the eye came back. */
const wake = () => {
  for (const one of [...wakers]) one();
};

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      wakers.delete(done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    wakers.add(done);
    signal.addEventListener("abort", done);
  });
}

function spread(said: Said): void {
  channel?.postMessage(said);
}

function setLive(state: Live): void {
  live.set(state);
  if (leading) spread({ property, is: "state", state });
}

function hear(news: News): void {
  for (const listener of listeners) listener(news);
}

/** The net was away: what looks open may be dead. */
function reconnect(): void {
  if (isOpen) dropConnection?.();
  wake();
}

/** What keeps a stream open is fetched once the page is painted: until then nothing could have changed on it. */
async function streaming(signal: AbortSignal): Promise<typeof import("./stream") | undefined> {
  await new Promise<void>((resolve) => {
    afterPainted(resolve);
    signal.addEventListener("abort", () => resolve());
  });
  while (!signal.aborted) {
    try {
      return await import("./stream");
    } catch {
      setLive("offline");
      await wait(5_000, signal);
    }
  }
  return undefined;
}

/** Somebody else noticed that there is (or is no) connection, as by reading the board. */
export function noticed(connected: boolean): void {
  if (!connected) setLive("offline");
  else if (live.get() === "offline") {
    setLive("catching-up");
    reconnect();
  }
}

/** Keeps the stream of a property while the page is looked at. Returns how to end it. */
export function startHub(id: string): () => void {
  stop?.();
  property = id;
  live.set(navigator.onLine === false ? "offline" : "catching-up");
  let ended = false;
  let lastId: string | undefined;
  let closedAt = 0;
  let current: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const hold = async (signal: AbortSignal) => {
    leading = true;
    const stream = await streaming(signal);
    if (closedAt && Date.now() - closedAt > AWAY_FOR) lastId = undefined;
    lastId = await stream?.keepStream({
      url: `/housekeeping/v1/board/stream?propertyId=${encodeURIComponent(id)}`,
      fetch: call,
      signal,
      lastId,
      wait,
      onSignedOut: signedOutElsewhere,
      onMessage: ({ event, data }) => {
        const news = { event, data };
        hear(news);
        spread({ property: id, is: "news", news });
      },
      onConnection: (drop) => (dropConnection = drop),
      onState: (state) => {
        isOpen = state === "open";
        setLive(isOpen ? "live" : state === "refused" ? "catching-up" : "offline");
      },
    });
    leading = false;
    isOpen = false;
    closedAt = Date.now();
  };
  const begin = () => {
    if (ended || current) return;
    current = new AbortController();
    const { signal } = current;
    spread({ property: id, is: "hello" });
    if (!navigator.locks) void hold(signal);
    else void navigator.locks.request(`melmastoon.stream.${id}`, { signal }, () => hold(signal)).catch(() => {});
  };
  const pause = () => {
    current?.abort();
    current = undefined;
    // Nothing is heard any more: what is on the screen is as old as it is.
    if (live.get() === "live") setLive("catching-up");
  };
  const looked = () => {
    clearTimeout(hiding);
    if (document.visibilityState === "hidden") hiding = setTimeout(pause, HIDDEN_FOR);
    else {
      begin();
      wake();
    }
  };
  const listen = ({ data }: MessageEvent<Said>) => {
    if (data.property !== id || leading) {
      if (data.is === "hello" && leading && data.property === id) spread({ property: id, is: "state", state: live.get() });
      return;
    }
    if (data.is === "news") hear(data.news);
    else if (data.is === "state") live.set(data.state);
  };
  // An answer that was on its way may still come in and look like a connection: whether there is one, only a new one tells.
  const lost = () => {
    setLive("offline");
    dropConnection?.();
  };
  document.addEventListener("visibilitychange", looked);
  addEventListener("online", reconnect);
  addEventListener("offline", lost);
  channel?.addEventListener("message", listen);
  begin();
  stop = () => {
    ended = true;
    pause();
    clearTimeout(hiding);
    document.removeEventListener("visibilitychange", looked);
    removeEventListener("online", reconnect);
    removeEventListener("offline", lost);
    channel?.removeEventListener("message", listen);
    stop = undefined;
  };
  return () => stop?.();
}
