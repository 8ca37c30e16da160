// A phone that several people use: what one ticked in a room is nothing that the next one did.
import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { session } from "../app/session";
import { useDraft } from "./draft";

const root = document.createElement("div");
afterEach(() => act(() => render(null, root)));

let tick: (key: string) => void = () => {};
function Room() {
  const [draft, change] = useDraft("hkt_1");
  tick = (key) => change((now) => ({ ...now, checked: { ...now.checked, [key]: true } }));
  return <p>{Object.keys(draft.checked).join(" ")}</p>;
}
async function enter(staffId: string): Promise<void> {
  session.set({ standing: "in", who: { userId: "u", tenantId: "tnt_1", staffId, roles: ["housekeeper"] } as never });
  await act(() => render(null, root));
  await act(() => render(<Room />, root));
}

it("what is ticked is kept for whoever ticked it", async () => {
  await enter("stf_anna");
  await act(() => tick("bed"));
  await vi.waitFor(() => expect(root.textContent).toBe("bed"));
  await enter("stf_bibi");
  await act(() => tick("towels"));
  await vi.waitFor(() => expect(root.textContent).toBe("towels"));
  await enter("stf_anna");
  await vi.waitFor(() => expect(root.textContent).toBe("bed"));
});
