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

type Triple = [number, number, number];
/** Light as it is added up: red, green, blue from 0 to 1. */
const linear = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Triple;
const times = (rows: Triple[], [a, b, c]: Triple): Triple => rows.map((row) => row[0] * a + row[1] * b + row[2] * c) as Triple;

function luminance(hex: string): number {
  const [red, green, blue] = linear(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one = "", other = ""): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** How people see who lack one of the three kinds of cones (Machado, Oliveira and Fernandes 2009, complete). */
const EYES: Record<string, Triple[]> = {
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const XYZ: Triple[] = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]];

/** CIELAB, in which distances are about as large as they look. */
function labOf(hex: string, eyes: Triple[]): Triple {
  const seen = times(eyes, linear(hex)).map((part) => Math.min(1, Math.max(0, part))) as Triple;
  const bent = (part: number) => (part > 216 / 24_389 ? Math.cbrt(part) : ((24_389 / 27) * part + 16) / 116);
  const [x, y, z] = times(XYZ, seen);
  const [fx, fy, fz] = [bent(x / 0.95047), bent(y), bent(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

describe.each(Object.entries(themes))("the colours of the %s theme", (_name, tokens) => {
  it("tell a status from what it stands on, by 3 to 1", () => {
    for (const status of STATUSES) for (const ground of ["surface", "raised"]) expect(contrast(tokens[status], tokens[ground]), `${status} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
  it.each(Object.entries(EYES))("keep any two statuses apart by 26 for eyes with %s", (_eyes, matrix) => {
    const colours = STATUSES.map((status) => ({ status, lab: labOf(tokens[status] ?? "", matrix) }));
    for (const one of colours) {
      for (const other of colours) {
        if (one !== other) expect(Math.hypot(...one.lab.map((part, at) => part - (other.lab[at] ?? 0))), `${one.status} and ${other.status}`).toBeGreaterThanOrEqual(26);
      }
    }
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
