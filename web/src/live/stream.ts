// One connection that stays: it comes back where it was, after silence too, and never hammers the server.
import { type Message, sseReader } from "./sse";

export const SILENCE = 40_000;
const LONGEST_WAIT = 15_000;

export interface StreamOptions {
  url: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  signal: AbortSignal;
  /** Where to go on; undefined: the whole board first. */
  lastId?: string | undefined;
  onMessage: (message: Message) => void;
  /** `refused`: there is a net and a server, and it does not tell us. */
  onState: (state: "open" | "closed" | "refused") => void;
  onSignedOut: () => void;
  random?: () => number;
  /** Resolves after a time, or at once when something says that trying is worth it. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  silence?: number;
  /** Given a way to drop the connection in use, for when it may be dead without knowing it. */
  onConnection?: (drop: () => void) => void;
}

/** 1, 2, 4, 8, 15 s, less up to a half. */
export function streamBackoff(tries: number, random: () => number): number {
  const base = Math.min(LONGEST_WAIT, 1_000 * 2 ** Math.min(tries, 4));
  return Math.max(1_000, Math.round(base * (0.5 + random() * 0.5)));
}

/** Runs until it is told to stop or nobody is signed in; returns the last id, for whoever goes on. */
export async function keepStream(options: StreamOptions): Promise<string | undefined> {
  const { signal, random = Math.random } = options;
  let lastId = options.lastId;
  let tries = 0;
  while (!signal.aborted) {
    let after: number | undefined;
    let refused = false;
    const reader = sseReader(options.onMessage);
    try {
      const answer = await connect(options, lastId, reader.push, () => {
        tries = 0;
        options.onState("open");
      });
      if (answer.status === 401) {
        options.onState("closed");
        options.onSignedOut();
        return lastId;
      }
      after = answer.retryAfter;
      // A server that says why it tells nothing (as many boards are open as it has room for) is there; a gateway that finds none is not it.
      refused = answer.status >= 400 && answer.status !== 502 && answer.status !== 504;
      // The server no longer knows where we were: the whole board, then.
      if (answer.status === 400) lastId = undefined;
    } catch {
      // No answer, silence, or the line broke: all the same.
    }
    lastId = reader.lastId() ?? lastId;
    if (signal.aborted) break;
    options.onState(refused ? "refused" : "closed");
    await options.wait(Math.max(streamBackoff(tries++, random), (after ?? 0) * 1_000), signal);
  }
  return lastId;
}

async function connect(
  options: StreamOptions,
  lastId: string | undefined,
  push: (text: string) => void,
  opened: () => void,
): Promise<{ status: number; retryAfter?: number }> {
  const quiet = new AbortController();
  const stop = () => quiet.abort();
  options.onConnection?.(stop);
  options.signal.addEventListener("abort", stop);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, options.silence ?? SILENCE);
  };
  try {
    heard();
    const headers: Record<string, string> = { accept: "text/event-stream", ...(lastId ? { "last-event-id": lastId } : {}) };
    const response = await options.fetch(options.url, { headers, signal: quiet.signal, cache: "no-store" });
    if (!response.ok || !response.body) {
      const after = Number(response.headers.get("retry-after"));
      return { status: response.status, ...(after > 0 ? { retryAfter: after } : {}) };
    }
    opened();
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { status: 200 };
      heard();
      push(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener("abort", stop);
  }
}
