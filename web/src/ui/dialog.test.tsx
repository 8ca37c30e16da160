// A dialog goes from the screen with the touch that closes it; whoever opened it hears of it right after that, once.
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { Dialog } from "./dialog";

const root = document.createElement("div");
document.body.append(root);
afterEach(() => act(() => render(null, root)));

const open = (onClose: () => void) => act(() => render(<Dialog title="?" onClose={onClose}>!</Dialog>, root));
const dialog = () => root.querySelector("dialog") as HTMLDialogElement;
const tap = () => (root.querySelector("[data-testid=dismiss]") as HTMLElement).click();

it("is off the screen at once, and closed after the paint, however often one taps", async () => {
  const closed = vi.fn(() => render(null, root));
  await open(closed);
  tap();
  tap();
  expect(dialog().dataset.leaving).toBe("yes");
  expect(closed).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(root.innerHTML).toBe(""));
  expect(closed).toHaveBeenCalledTimes(1);
});

it("is seen again where nobody lets it close", async () => {
  const asked = vi.fn();
  await open(asked);
  tap();
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  await vi.waitFor(() => expect(dialog().dataset.leaving).toBeUndefined());
});
