// On a device that several people use: whoever is here has a clock of their own.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it } from "vitest";
import { session } from "../app/session";
import { entries } from "../outbox";
import { type ClockState, useClock } from "./clock";

const root = document.createElement("div");
afterEach(() => act(() => render(null, root)));

const punch = (seq: number, staff: string, kind: string) => ({ seq, tenant: "tnt_1", staff, verb: "clock", state: "waiting", body: JSON.stringify({ kind }) }) as never;
const Shows = ({ told }: { told: ClockState }) => <p>{Object.values(useClock(told)).join(" ")}</p>;
const clock = (told: ClockState): string => {
  act(() => render(<Shows told={told} />, root));
  return root.textContent ?? "";
};

it("a punch of one's own that waits is laid over what was told, and nobody else's is", () => {
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_bibi", roles: ["housekeeper"] } as never });
  entries.set([punch(1, "stf_anna", "in")]);
  expect(clock("out")).toBe("out false");
  entries.set([punch(1, "stf_bibi", "in"), punch(2, "stf_anna", "out")]);
  expect(clock("out")).toBe("in true");
});

it("a punch that arrived holds until something else is told, and one that was refused does not", () => {
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId: "stf_bibi", roles: ["housekeeper"] } as never });
  entries.set([punch(3, "stf_bibi", "in")]);
  expect(clock("out")).toBe("in true");
  entries.set([]);
  expect(clock("out")).toBe("in false");
  expect(clock("in")).toBe("in false");
  // By another's hand, at the terminal.
  expect(clock("out")).toBe("out false");
  const refused = { ...(punch(4, "stf_bibi", "in") as object), state: "refused" } as never;
  entries.set([punch(4, "stf_bibi", "in")]);
  expect(clock("out")).toBe("in true");
  entries.set([refused]);
  expect(clock("out")).toBe("out false");
});
