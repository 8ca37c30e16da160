// What stands against a tap is said in the reader's language, and the arrow goes the reader's way.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { speak } from "../i18n";
import type { Entry } from "../outbox";
import { Conflict } from "./conflict";

const root = document.createElement("div");
afterEach(() => {
  act(() => render(null, root));
  vi.unstubAllGlobals();
});

const entry = {
  seq: 1,
  verb: "assign",
  path: "/housekeeping/v1/linen/lin_1/issue",
  at: "2026-04-22T06:00:00.000Z",
  body: "{}",
  effect: { task: { assigneeStaffId: "stf_1" } },
  problem: { status: 409, code: "X", fullCode: "X", title: "X", detail: "There are only 3 towels." },
} as unknown as Entry;

for (const [language, said] of [
  ["en", "There are only 3 towels."],
  ["ps", "–"],
] as const) {
  it(`shows the server's own English sentence to those alone who read English (${language})`, async () => {
    vi.stubGlobal("fetch", async () => new Response("{}", { status: 404 }));
    await speak(language, "more", "board");
    await act(() => render(<Conflict entry={entry} onClose={() => {}} />, root));
    const find = (name: string) => root.querySelector(`[data-testid=conflict-${name}]`);
    await vi.waitFor(() => expect(find("theirs")?.textContent).toBe(said));
    expect(find("mine")?.textContent).not.toContain("→");
    expect(find("mine")?.querySelector(".mirrors")).not.toBeNull();
  });
}
