// What may be done about a tap, and by whom.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it } from "vitest";
import { session } from "../app/session";
import { speak } from "../i18n";
import { entries } from "../outbox";
import OutboxPage from "./page";

const root = document.createElement("div");
afterEach(() => act(() => render(null, root)));

it("only whoever tapped it drops it or tries it again; of another's one sees that it waits", async () => {
  await speak("en", "outbox-page", "more");
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_anna", roles: ["supervisor"] } as never });
  const tap = (seq: number, staff: string, state: string) => ({ seq, tenant: "tnt_1", staff, lane: `l${seq}`, verb: "start", state, at: "2026-04-22T06:00:00Z", body: "" }) as never;
  entries.set([tap(1, "stf_anna", "waiting"), tap(2, "stf_bibi", "waiting"), tap(3, "stf_bibi", "refused"), tap(4, "stf_anna", "refused")]);
  act(() => render(<OutboxPage />, root));
  const offered = [...root.querySelectorAll("[data-testid=entry]")].map((row) => [...row.querySelectorAll("button")].map((one) => one.dataset.testid?.slice("entry-".length)).join(" "));
  expect(offered).toEqual(["drop", "", "ask", "again ask drop"]);
});
