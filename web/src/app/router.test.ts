import { beforeEach, expect, it } from "vitest";
import { goBack } from "./go-back";
import { followLinks, go, place, setSearch } from "./router";

beforeEach(() => go("/login"));
const now = () => `${location.pathname}${location.search}`;

it("a room lies over the page that it was opened from, with its filters, and closes to there", async () => {
  go("/board?view=list&q=30");
  go("/rooms/rom_1");
  expect([now(), place.get().folder]).toEqual(["/rooms/rom_1?view=list&q=30", "board"]);
  const left = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  goBack();
  // Some browsers of tests do not walk back: then the page is the board's own.
  await Promise.race([left, new Promise((resolve) => setTimeout(resolve, 200))]);
  if (location.pathname === "/board") expect(now()).toBe("/board?view=list&q=30");
});

it("over the desk it leaves the desk below", () => {
  go("/desk");
  go("/rooms/rom_1");
  expect(place.get()).toMatchObject({ folder: "desk", page: { name: "room" } });
});

it("a link to a room has the board below it, and closing leaves no way back into the room", () => {
  go("/rooms/rom_1");
  expect(place.get().folder).toBe("board");
  goBack();
  expect(now()).toBe("/board");
});

it("an address that is no proper text is a page all the same", () => {
  history.replaceState(null, "", "/rooms/%E0");
  expect(() => go("/rooms/%")).not.toThrow();
  expect(place.get().params).toEqual({ id: "%" });
});

it("a search that changes leaves what lies below as it is", () => {
  go("/desk");
  go("/rooms/rom_1");
  setSearch({ at: "x" });
  expect(place.get().folder).toBe("desk");
});

it("leaves a link to a place on the same page to the browser, and takes all others", () => {
  followLinks();
  go("/desk?q=1");
  const follow = (href: string) => {
    const link = document.createElement("a");
    link.href = href;
    document.body.append(link);
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    // Nothing of the browser's own happens in this test.
    addEventListener("click", (event) => void (taken.push(event.defaultPrevented), event.preventDefault()), { once: true });
    link.dispatchEvent(click);
    link.remove();
  };
  const taken: boolean[] = [];
  follow("/desk?q=1#desk-departures");
  expect(now()).toBe("/desk?q=1");
  follow("/board#main");
  expect(taken).toEqual([false, true]);
  expect(now()).toBe("/board");
});
