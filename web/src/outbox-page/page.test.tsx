// What may be done about a tap, and by whom.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { session } from "../app/session";
import { speak } from "../i18n";
import { entries } from "../outbox";
import { keep } from "../outbox/keep";
import OutboxPage from "./page";

vi.mock("../outbox/keep", () => ({ keep: vi.fn(async () => true) }));

const root = document.createElement("div");
afterEach(() => act(() => render(null, root)));
const problem = (status: number, code: string, currentStatus?: string) => ({ status, code, fullCode: code, title: "", detail: "", traceId: "", ...(currentStatus ? { currentStatus } : {}) });

it("only whoever tapped it drops it or tries it again; of another's one sees that it waits", async () => {
  await speak("en", "outbox-page", "more");
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_anna", roles: ["supervisor"] } as never });
  const tap = (seq: number, staff: string, state: string) => ({ seq, tenant: "tnt_1", staff, lane: `l${seq}`, verb: "start", state, at: "2026-04-22T06:00:00Z", body: "" }) as never;
  entries.set([tap(1, "stf_anna", "waiting"), tap(2, "stf_bibi", "waiting"), tap(3, "stf_bibi", "refused"), tap(4, "stf_anna", "refused")]);
  act(() => render(<OutboxPage />, root));
  const offered = [...root.querySelectorAll("[data-testid=entry]")].map((row) => [...row.querySelectorAll("button")].map((one) => one.dataset.testid?.slice("entry-".length)).join(" "));
  expect(offered).toEqual(["drop", "", "ask", "again ask drop"]);
});

it("asks the supervisor by a task that is open and one's own, and else shows the screen: it never says that somebody was asked who was not", async () => {
  await speak("en", "outbox-page", "more");
  const askOf = async (role: string, refused: object) => {
    vi.mocked(keep).mockClear();
    session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_anna", roles: [role] } as never });
    entries.set([{ seq: 1, tenant: "tnt_1", staff: "stf_anna", lane: "hkt_1", verb: "start", state: "refused", at: "2026-04-22T06:00:00Z", body: "", effect: { taskId: "hkt_1" }, ...refused } as never]);
    act(() => render(<OutboxPage />, root));
    await act(() => root.querySelector<HTMLButtonElement>("[data-testid=entry-ask]")?.click());
    const shown = root.querySelector("dialog") !== null;
    act(() => render(null, root));
    return [vi.mocked(keep).mock.calls.length === 1 ? "asked" : "", shown ? "shown" : ""].join("");
  };
  expect(await askOf("housekeeper", { problem: problem(409, "TASK_ILLEGAL_TRANSITION", "paused") })).toBe("asked");
  expect(await askOf("housekeeper", { problem: problem(409, "ROOM_ILLEGAL_TRANSITION", "out_of_order") })).toBe("asked");
  // Somebody else has it by now, it is over or gone, or the desk asks: the server would refuse that too.
  expect(await askOf("housekeeper", { problem: problem(403, "NOT_THE_ASSIGNEE") })).toBe("shown");
  expect(await askOf("housekeeper", { problem: problem(409, "TASK_ILLEGAL_TRANSITION", "cancelled") })).toBe("shown");
  expect(await askOf("housekeeper", { problem: problem(404, "NOT_FOUND") })).toBe("shown");
  expect(await askOf("housekeeper", { verb: "escalate", problem: problem(409, "TASK_ILLEGAL_TRANSITION", "paused") })).toBe("shown");
  expect(await askOf("front_desk", { problem: problem(403, "FORBIDDEN") })).toBe("shown");
});
