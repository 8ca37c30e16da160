// The page says that it is painted once it is: the week with the names of its work, who asked for leave, and the notes.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { ready } from "../app/ready";
import { property } from "../app/session";
import { speak } from "../i18n";
import RosterPage from "./page";

const root = document.createElement("div");
afterEach(() => {
  act(() => render(null, root));
  vi.unstubAllGlobals();
});

it("is ready when everything on it is painted, and not before", async () => {
  const waiting = new Map<string, () => void>();
  const answers: Record<string, unknown> = {
    roster: { days: [], people: [] },
    staff: { items: [] },
    positions: { items: [] },
    leave: { items: [] },
    "handoff-notes": { items: [] },
  };
  vi.stubGlobal("fetch", (asked: Request | string) => {
    const url = String(typeof asked === "string" ? asked : asked.url);
    const name = Object.keys(answers).find((one) => url.includes(`/staff/v1/${one}`)) ?? "";
    const answer = new Response(JSON.stringify(answers[name] ?? {}), { headers: { "content-type": "application/json" } });
    return new Promise<Response>((resolve) => waiting.set(name, () => resolve(answer)));
  });
  property.set("prp_1");
  await speak("en", "roster");
  await act(() => render(<RosterPage />, root));
  await vi.waitFor(() => expect([...waiting.keys()]).toEqual(expect.arrayContaining(["roster", "positions", "leave", "handoff-notes"])));
  for (const name of ["staff", "roster", "positions", "leave"]) {
    await act(async () => waiting.get(name)?.());
    await vi.waitFor(() => expect(root.innerHTML).not.toBe(""));
    expect(ready.get(), `after ${name}`).toBe(false);
  }
  await act(async () => waiting.get("handoff-notes")?.());
  await vi.waitFor(() => expect(ready.get()).toBe(true));
});
