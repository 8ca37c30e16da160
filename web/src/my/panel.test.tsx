// A room whose list did not come.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Task } from "../api/types";
import { session } from "../app/session";
import { speak } from "../i18n";
import { live } from "../live/state";
import { TaskPanel } from "./panel";

const root = document.createElement("div");
/** Whether the server gives the list. */
let gives = false;
beforeEach(async () => {
  gives = false;
  live.set("live");
  await speak("en", "my", "more");
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_1", roles: ["housekeeper"] } as never });
  vi.stubGlobal("fetch", async (path: string) => {
    if (!gives) throw new TypeError("no net");
    const id = path.split("/").at(-1);
    return new Response(JSON.stringify({ id, items: [{ key: "bed", labelI18n: { en: "Make the bed" }, required: true }] }), { status: 200 });
  });
});
afterEach(() => {
  act(() => render(null, root));
  vi.unstubAllGlobals();
});

const find = (name: string) => root.querySelector<HTMLElement>(`[data-testid=${name}]`);
const press = (name: string) => act(() => void find(name)?.click());

async function inARoom(checklistId: string, onDone = () => {}): Promise<void> {
  const task = { taskId: `tsk_${checklistId}`, checklistId, status: "in_progress", kind: "turnover", estimatedMinutes: 30 } as Task;
  await act(() => render(<TaskPanel task={task} room={undefined} pending={false} onDone={onDone} />, root));
  await vi.waitFor(() => expect(find("state-error")).not.toBeNull());
}

it("is not done while nobody knows what is to be ticked, and the list is asked for again", async () => {
  const finished = vi.fn();
  await inARoom("chk_1", finished);
  await press("all-in-order");
  await vi.waitFor(() => expect(find("all-in-order")?.getAttribute("aria-pressed")).toBe("true"));
  await press("task-done");
  expect(finished).not.toHaveBeenCalled();
  gives = true;
  await press("retry");
  await vi.waitFor(() => expect(find("check")).not.toBeNull());
  expect(find("state-error")).toBeNull();
});

it("has its list as soon as there is a net again", async () => {
  live.set("offline");
  await inARoom("chk_2");
  gives = true;
  await act(() => live.set("live"));
  await vi.waitFor(() => expect(find("check")).not.toBeNull());
});
