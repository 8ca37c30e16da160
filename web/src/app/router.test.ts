import { beforeEach, expect, it } from "vitest";
import { goBack } from "./go-back";
import { go, place, setSearch } from "./router";

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

it("a search that changes leaves what lies below as it is", () => {
  go("/desk");
  go("/rooms/rom_1");
  setSearch({ at: "x" });
  expect(place.get().folder).toBe("desk");
});
