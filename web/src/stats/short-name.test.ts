import { expect, it } from "vitest";
import { shortName } from "./short-name";

it.each([
  ["Zarghuna Stanekzai", "Zarghuna"],
  ["Donaudampfschifffahrtsgesellschaftskapitänswitwe Brunner", "Donauda…"],
  ["عبدالرحمان جان", "عبدالرح…"],
  ["", ""],
])("of %s stands %s below its bar", (name, short) => {
  expect(shortName(name)).toBe(short);
});
