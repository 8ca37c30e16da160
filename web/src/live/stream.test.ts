import { describe, expect, it, vi } from "vitest";
import { sseReader } from "./sse";
import { keepStream, streamBackoff } from "./stream";

describe("reading a stream", () => {
  it("puts events together from any pieces, and keeps ids without data", () => {
    const text = ":\nid: 7\n\nevent: board\r\nid: 8\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n: keep-alive\n\nevent: change\nid: 9\ndata: {}\n\n";
    for (const size of [1, 2, 3, 7, 1000]) {
      const heard: string[] = [];
      const reader = sseReader((message) => heard.push(`${message.event} ${message.id} ${message.data}`));
      for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
      expect(heard).toEqual(['board 8 {"a":\n1}', "change 9 {}"]);
      expect(reader.lastId()).toBe("9");
    }
  });
  it("tells nothing of an event that was cut off", () => {
    const heard: unknown[] = [];
    sseReader((message) => heard.push(message)).push("event: change\ndata: {}\n");
    expect(heard).toEqual([]);
  });
});

function answering(...pieces: (string | "silence")[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) if (piece !== "silence") controller.enqueue(new TextEncoder().encode(piece));
      if (!pieces.includes("silence")) controller.close();
    },
  });
  return new Response(body, { status: 200 });
}

describe("keeping a stream", () => {
  const base = { url: "/stream", onMessage: () => {}, onSignedOut: () => {}, random: () => 1 };

  it("comes back with the last id it saw, and waits longer each time there is no answer", async () => {
    const asked: (string | undefined)[] = [];
    const waited: number[] = [];
    const stop = new AbortController();
    const answers = [() => answering("id: 41\ndata: x\n\n", ":\nid: 42\n\n"), () => Promise.reject(new Error("no net")), () => Promise.reject(new Error("no net"))];
    await keepStream({
      ...base,
      signal: stop.signal,
      onState: () => {},
      fetch: async (_url, init) => {
        asked.push((init.headers as Record<string, string>)["last-event-id"]);
        const next = answers.shift();
        if (!next) stop.abort();
        return (next ?? (() => answering()))();
      },
      wait: async (milliseconds) => void waited.push(milliseconds),
    });
    expect(asked).toEqual([undefined, "42", "42", "42"]);
    expect(waited).toEqual([1_000, 2_000, 4_000]);
  });

  it("ends a silent connection and opens a new one", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const states: string[] = [];
    let calls = 0;
    const running = keepStream({
      ...base,
      signal: stop.signal,
      onState: (state) => states.push(state),
      fetch: (_url, init) => {
        calls += 1;
        if (calls > 1) queueMicrotask(() => stop.abort());
        return new Promise((_resolve, reject) => {
          if (init.signal?.aborted) reject(new Error("aborted"));
          init.signal?.addEventListener("abort", () => reject(new Error("aborted")));
        });
      },
      wait: async () => {},
    });
    await vi.advanceTimersByTimeAsync(39_000);
    expect(calls).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls).toBe(2);
    expect(states).toContain("closed");
    vi.useRealTimers();
    await running;
  });

  it("stops at 401 and obeys Retry-After", async () => {
    const waited: number[] = [];
    let signedOut = 0;
    const answers = [
      new Response("", { status: 503, headers: { "retry-after": "9" } }),
      new Response("", { status: 401 }),
    ];
    await keepStream({
      ...base,
      signal: new AbortController().signal,
      onState: () => {},
      onSignedOut: () => signedOut++,
      fetch: async () => answers.shift() as Response,
      wait: async (milliseconds) => void waited.push(milliseconds),
    });
    expect([waited, signedOut]).toEqual([[9_000], 1]);
  });

  it.each([
    [503, "refused"],
    [500, "refused"],
    [403, "refused"],
    [502, "closed"],
    [504, "closed"],
  ])("an answer of %i is %s: whoever is told so by the server itself has a net, and goes on working", async (status, state) => {
    const stop = new AbortController();
    const states: string[] = [];
    await keepStream({ ...base, signal: stop.signal, onState: (one) => states.push(one), fetch: async () => new Response("", { status }), wait: async () => stop.abort() });
    expect(states).toEqual([state]);
  });

  it("backs off from 1 to 15 s", () => {
    expect([0, 1, 2, 3, 4, 9].map((tries) => streamBackoff(tries, () => 1))).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(streamBackoff(0, () => 0)).toBe(1_000);
    expect(streamBackoff(2, () => 0)).toBe(2_000);
  });
});
