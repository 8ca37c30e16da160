// What somebody asked for and what the hotel says to it.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { session } from "../app/session";
import { speak } from "../i18n";
import { Shifts } from "./shifts";

const root = document.createElement("div");
afterEach(() => {
  act(() => render(null, root));
  vi.unstubAllGlobals();
});

it("whoever asked for leave sees on their own day what became of it, and nothing of what they took back", async () => {
  await speak("en", "my", "more");
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_1", roles: ["housekeeper"] } as never });
  const leave = (id: string, status: string) => ({ leaveRequestId: id, type: "annual", windowLocal: { from: "2026-12-01", to: "2026-12-02" }, status });
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    const items = path.startsWith("/staff/v1/leave") ? [leave("a", "requested"), leave("b", "rejected"), leave("c", "cancelled"), leave("d", "approved")] : [];
    return new Response(JSON.stringify({ items }), { status: 200 });
  });
  await act(() => render(<Shifts />, root));
  const told = () => [...root.querySelectorAll<HTMLElement>("[data-testid=my-leave]")].map((one) => one.dataset.status);
  await vi.waitFor(() => expect(told()).toEqual(["requested", "rejected", "approved"]));
  // Whoever leads others would else be told everybody's.
  expect(asked.some((path) => path.includes("/staff/v1/leave?staffId=stf_1&from="))).toBe(true);
});
