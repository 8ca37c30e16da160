// Every status can be told from its ground, and every text read, in both themes: the figures of the design, from the file that has the colours.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = readFileSync(`${process.cwd()}/src/ui/tokens.css`, "utf8");
const tokensOf = (selector: string): Record<string, string> => {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1], found[2]])) as Record<string, string>;
};
const themes = { light: tokensOf(":root"), dark: tokensOf(':root[data-theme="dark"]') };
const STATUSES = ["dirty", "cleaning", "cleaned", "ready", "out-of-order", "out-of-service"];

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one = "", other = ""): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(Object.entries(themes))("the colours of the %s theme", (_name, tokens) => {
  it("tell a status from what it stands on, by 3 to 1", () => {
    for (const status of STATUSES) for (const ground of ["surface", "raised"]) expect(contrast(tokens[status], tokens[ground]), `${status} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
  it("let every text be read, by 7 to 1", () => {
    const grounds = ["paper", "surface", "raised", "sunken", "accent-soft", "warn-soft", "bad-soft", "good-soft"];
    for (const ink of ["ink", "ink-2"]) for (const ground of grounds) expect(contrast(tokens[ink], tokens[ground]), `${ink} on ${ground}`).toBeGreaterThanOrEqual(7);
    expect(contrast(tokens["accent-ink"], tokens.accent)).toBeGreaterThanOrEqual(7);
  });
});

it("in the person's own colours every token is one of theirs", () => {
  const forced = css.slice(css.indexOf("@media (forced-colors: active)")).split("\n}")[0] ?? "";
  const own = new Set([...forced.matchAll(/--([\w-]+): (?:Canvas|CanvasText|Highlight|HighlightText|none);/g)].map((found) => found[1]));
  const missing = [...Object.keys(themes.light)].filter((name) => !own.has(name));
  expect(missing).toEqual([]);
});
