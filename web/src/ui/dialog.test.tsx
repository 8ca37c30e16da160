// A dialog goes from the screen with the touch that closes it; whoever opened it hears of it right after that, once.
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { Dialog } from "./dialog";
import { Toasts, announce, toast } from "./toast";

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

it("stays open when whoever was to take a photo takes none: that is told from within, and rises", async () => {
  const asked = vi.fn();
  await open(asked);
  dialog().querySelector(".dialog-body")?.dispatchEvent(new Event("cancel", { bubbles: true, cancelable: true }));
  expect(dialog().dataset.leaving).toBeUndefined();
  dialog().dispatchEvent(new Event("cancel", { cancelable: true }));
  expect(dialog().dataset.leaving).toBe("yes");
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
});

it("says itself what is said while it is open, and the page does again once it is closed", async () => {
  const page = document.createElement("div");
  document.body.append(page);
  await act(() => render(<Toasts />, page));
  await open(() => {});
  await act(() => (toast("refused"), announce("refused")));
  const said = (where: Element) => [where.querySelectorAll("[data-testid=toast]").length, where.querySelector("[data-testid=announcer]")?.textContent];
  expect(said(dialog())).toEqual([1, "refused"]);
  expect(said(page)).toEqual([0, undefined]);
  await act(() => render(null, root));
  expect(said(page)).toEqual([1, "refused"]);
  await act(() => render(null, page));
});
