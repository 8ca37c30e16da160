import { expect, it } from "vitest";
import { colourOf } from "./lanes-picture";

it("every floor has one of the six colours, below the ground too", () => {
  expect([-7, -2, -1, 0, 5, 6, 41].map(colourOf)).toEqual(["floor-5", "floor-4", "floor-5", "floor-0", "floor-5", "floor-0", "floor-5"]);
});
