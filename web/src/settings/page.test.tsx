// What a manager has typed outlives a net that flickers.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { session } from "../app/session";
import { speak } from "../i18n";
import { live } from "../live/state";
import SettingsPage from "./page";

const root = document.createElement("div");
afterEach(() => {
  act(() => render(null, root));
  vi.unstubAllGlobals();
});

const SETTINGS = { inspectionRequired: true, routingGate: "manual_only", lostFoundRetentionDays: 90, autoMidStay: false, timezone: "Asia/Kabul", locale: "en", estimatedMinutes: {} };
const LISTS = { items: [{ id: "chk_1", kind: "turnover", version: 1, items: [{ key: "bed", labelI18n: { en: "Make the bed" }, required: true }] }] };
const find = <E extends Element = HTMLElement>(name: string) => root.querySelector<E>(name);

async function type(name: string, text: string): Promise<void> {
  const field = find<HTMLInputElement>(name);
  if (!field) throw new Error(`no ${name}`);
  field.value = text;
  await act(() => void field.dispatchEvent(new Event("input", { bubbles: true })));
}

it("stays on the page without a net, where nothing can be saved, and is saved after it", async () => {
  const withoutEnd: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { signal }: RequestInit = {}) => {
    if (!signal) withoutEnd.push(path);
    if (live.get() === "offline") throw new TypeError("no net");
    return new Response(JSON.stringify(path.includes("checklists") ? LISTS : SETTINGS), { status: 200, headers: { etag: '"1"' } });
  });
  await speak("en", "settings", "more");
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", roles: ["property_manager"], properties: [] } as never });
  live.set("live");
  await act(() => render(<SettingsPage />, root));
  const days = "[data-testid=lost-days]";
  const label = "[data-testid=list-item] input";
  const offers = () => ["settings-save", "list-publish"].map((name) => find<HTMLButtonElement>(`[data-testid=${name}]`)?.disabled);
  await vi.waitFor(() => expect([find(days), find(label)]).not.toContain(null));
  await type(days, "120");
  await type(label, "Make both beds");
  const typed = () => [find<HTMLInputElement>(days)?.value, find<HTMLInputElement>(label)?.value];
  await act(() => live.set("offline"));
  expect(typed()).toEqual(["120", "Make both beds"]);
  expect(offers()).toEqual([true, true]);
  await act(() => live.set("live"));
  expect(typed()).toEqual(["120", "Make both beds"]);
  expect(offers()).toEqual([false, false]);
  // Half-open Wi-Fi gives no answer at all: no question waits for ever.
  expect(withoutEnd).toEqual([]);
});
