// The board's copies: one for each house and each share, and no question without an end.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PATIENCE } from "../api/client";
import type { Board } from "../api/types";
import { property } from "../app/session";
import { useBoard } from "./board";
import { live } from "./state";

type Waiting = { path: string; signal: AbortSignal | undefined; answer: (board: Partial<Board>) => void };
let asked: Waiting[] = [];
let root: HTMLElement;
const at = (path: string) => asked.filter((one) => one.path.includes(path));
const boardOf = (id: string, rooms: number) => ({ propertyId: id, generatedAt: new Date().toISOString(), etag: `"${id} ${rooms}"`, rooms: Array.from({ length: rooms }, (_, n) => ({ roomId: `${id} ${n}`, version: 1 })), tasks: [], staff: [], alerts: [] }) as unknown as Board;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  asked = [];
  vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const signal = init.signal ?? undefined;
      signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      asked.push({ path, signal, answer: (board) => resolve(new Response(JSON.stringify(board), { status: 200 })) });
    }),
  );
  root = document.createElement("div");
});
afterEach(() => {
  act(() => render(null, root));
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settle = () => act(async () => void (await vi.advanceTimersByTimeAsync(5)));

function Looks({ share }: { share?: string }) {
  const { board, error } = useBoard(share);
  return <p data-share={share ?? ""}>{board ? `${board.propertyId} ${board.rooms.length}` : error ? "error" : "nothing"}</p>;
}
const texts = () => [...root.querySelectorAll("p")].map((one) => one.textContent);

describe("the board", () => {
  it("gives a question up that nobody answers, and says that there is no connection", async () => {
    property.set("prp_silent");
    live.set("live");
    act(() => render(<Looks />, root));
    await settle();
    expect(at("prp_silent")).toHaveLength(1);
    await act(async () => void (await vi.advanceTimersByTimeAsync(PATIENCE + 10)));
    expect(live.get()).toBe("offline");
    expect(texts()).toEqual(["error"]);
  });

  it("shows the house that was chosen last, whatever comes for the one before", async () => {
    property.set("prp_old");
    live.set("live");
    act(() => render(<Looks />, root));
    await settle();
    const [old] = at("prp_old");
    act(() => property.set("prp_new"));
    await settle();
    expect(old?.signal?.aborted).toBe(true);
    old?.answer(boardOf("prp_old", 9));
    at("prp_new")[0]?.answer(boardOf("prp_new", 2));
    await settle();
    await act(async () => void (await vi.advanceTimersByTimeAsync(5_000)));
    expect(texts()).toEqual(["prp_new 2"]);
    expect(live.get()).toBe("live");
    expect(at("prp_old")).toHaveLength(1);
  });

  it("keeps the whole house and one's own share beside each other", async () => {
    property.set("prp_both");
    act(() => render(<><Looks /><Looks share="stf_1" /></>, root));
    await settle();
    at("staffId=stf_1")[0]?.answer(boardOf("prp_both", 1));
    asked.find((one) => one.path.endsWith("prp_both"))?.answer(boardOf("prp_both", 5));
    await settle();
    expect(texts()).toEqual(["prp_both 5", "prp_both 1"]);
  });
});
