// Whether the page may call itself live.
import "fake-indexeddb/auto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call } from "../api/client";
import { ready } from "../app/ready";
import { watchAnswers } from "./answers";
import { startHub } from "./hub";
import { live } from "./state";

const open = () => new Response(new ReadableStream({ start: (it) => it.enqueue(new TextEncoder().encode(":\n\n")) }), { status: 200 });
let visible = "visible";
Object.defineProperty(document, "visibilityState", { get: () => visible });

afterEach(() => {
  visible = "visible";
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a page that listens", () => {
  it("is not live any more once it was hidden for two minutes and let go of the stream", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", async () => open());
    ready.set(true);
    const stop = startHub("prp_1");
    await vi.advanceTimersByTimeAsync(3_000);
    await vi.waitFor(() => expect(live.get()).toBe("live"));
    visible = "hidden";
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(2 * 60_000 + 10);
    expect(live.get()).toBe("catching-up");
    stop();
  });

  it("is without a net once the browser says so, although an answer from before still comes in", async () => {
    vi.useFakeTimers();
    let come: () => void = () => {};
    let asked = 0;
    vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
      if (asked++) return Promise.reject(new TypeError("no net"));
      return new Promise<Response>((resolve, reject) => {
        come = () => resolve(open());
        signal?.addEventListener("abort", () => reject(new DOMException("ended", "AbortError")));
      });
    });
    ready.set(true);
    const stop = startHub("prp_3");
    await vi.advanceTimersByTimeAsync(3_000);
    await vi.waitFor(() => expect(asked).toBe(1));
    dispatchEvent(new Event("offline"));
    come();
    await vi.advanceTimersByTimeAsync(100);
    expect(live.get()).toBe("offline");
    stop();
  });

  it("does not call a server that refuses it a missing net", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", async () => new Response("{}", { status: 403 }));
    ready.set(true);
    const stop = startHub("prp_2");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(live.get()).toBe("catching-up");
    stop();
  });
});

describe("a page that nobody tells what changes", () => {
  it("learns from ordinary answers whether there is a net, and looks for it again", async () => {
    vi.useFakeTimers();
    let net = true;
    vi.stubGlobal("fetch", async () => {
      if (!net) throw new TypeError("no net");
      return new Response("{}", { status: 200 });
    });
    const stop = watchAnswers();
    await vi.advanceTimersByTimeAsync(10);
    expect(live.get()).toBe("live");
    net = false;
    await call("/staff/v1/roster").catch(() => undefined);
    expect(live.get()).toBe("offline");
    net = true;
    await vi.advanceTimersByTimeAsync(16_000);
    expect(live.get()).toBe("live");
    stop();
  });

  it("finds a net that stutters when it comes back within seconds", async () => {
    vi.useFakeTimers();
    let net = false;
    vi.stubGlobal("fetch", async () => {
      if (!net) throw new TypeError("no net");
      return new Response("{}", { status: 200 });
    });
    const stop = watchAnswers();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(live.get()).toBe("offline");
    // The browser says so a moment before it is true.
    dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(10);
    expect(live.get()).toBe("offline");
    net = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(live.get()).toBe("live");
    stop();
  });
});
