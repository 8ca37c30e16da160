// Cuts the messages by language and page: a phone that opens one page in Pashto fetches that page's Pashto, and nothing else.
// Which page needs which message is read off the source, so nobody keeps a list: literals that are a message's key, the group in
// `word("group", …)` and `tn("base", …)`, and the beginning of `t(`group.${…}`)`.
import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Plugin } from "vite";

type Messages = Record<string, string>;
const LANGUAGES = ["en", "ps", "fa"];
/** What is said only when something goes wrong, wherever it does: fetched once a page is painted. */
const LATER = ["problem"];
const VIRTUAL = "virtual:words";

/** The modules that a file brings along, and those that it fetches when they are needed. Types bring nothing. */
function importsOf(file: string): { at_once: string[]; later: string[] } {
  const text = readFileSync(file, "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map((one) => fileOf(file, one[1] as string)).filter((one) => one !== undefined);
  return {
    at_once: found(/^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"(\.[^"]+)";/gm),
    later: found(/\bimport\("(\.[^"]+)"\)/g),
  };
}

function fileOf(from: string, path: string): string | undefined {
  const base = resolve(dirname(from), path);
  for (const ending of [".tsx", ".ts", "/index.ts"]) {
    try {
      readFileSync(base + ending);
      return base + ending;
    } catch {
      // Another ending, or no code at all (CSS, JSON).
    }
  }
  return undefined;
}

function closureOf(entries: string[], without: Set<string> = new Set()): Set<string> {
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (seen.has(file) || without.has(file)) continue;
    seen.add(file);
    waiting.push(...importsOf(file).at_once);
  }
  return seen;
}

function keysOf(files: Iterable<string>, all: string[]): Set<string> {
  const keys = new Set<string>();
  for (const file of files) {
    // What the words are made of says nothing about who needs which.
    if (/\/i18n\/index\.ts$/.test(file)) continue;
    const text = readFileSync(file, "utf8");
    for (const [, literal] of text.matchAll(/"([\w.-]+)"/g)) if (literal && all.includes(literal)) keys.add(literal);
    const beginnings = new Set<string>();
    for (const [, first] of text.matchAll(/\b(?:word|hasWord|tn)\(([^,]*),/g)) for (const [, group] of (first ?? "").matchAll(/"([\w.-]+)"/g)) beginnings.add(`${group}.`);
    for (const [, beginning] of text.matchAll(/`([\w-]+(?:\.[\w-]+)*\.)\$\{/g)) if (beginning) beginnings.add(beginning);
    for (const key of all) if ([...beginnings].some((one) => key.startsWith(one))) keys.add(key);
  }
  return keys;
}

/** Keys by part: `base` for every page, one for each page, and `more` for what is fetched when it is needed. */
export function partsOf(root: string, pages: string[]): Record<string, string[]> {
  const all = Object.keys(JSON.parse(readFileSync(`${root}/i18n/en.json`, "utf8")) as Messages);
  const isLater = (key: string) => LATER.some((group) => key.startsWith(`${group}.`));
  const base = closureOf([`${root}/main.tsx`]);
  const baseKeys = new Set([...keysOf(base, all)].filter((key) => !isLater(key)));
  const parts: Record<string, string[]> = { base: [...baseKeys] };
  const beyond = (files: Set<string>) => [...keysOf(files, all)].filter((key) => !baseKeys.has(key));
  const views = pages.map((page) => `${root}/${page}/page.tsx`);
  const everywhere = new Set(base);
  for (const [index, page] of pages.entries()) {
    const files = closureOf([views[index] as string], base);
    for (const file of files) everywhere.add(file);
    parts[page] = beyond(files).filter((key) => !isLater(key));
  }
  const later = [...everywhere].flatMap((file) => importsOf(file).later).filter((file) => !views.includes(file));
  const laterKeys = new Set([...beyond(closureOf(later, base)), ...all.filter(isLater)]);
  parts.more = [...laterKeys];
  for (const name of Object.keys(parts)) parts[name]?.sort();
  return parts;
}

const SOURCE = resolve(import.meta.dirname, "../src");

/** The files of the start: what is there before any page is. */
export const baseFiles = (): Set<string> => closureOf([`${SOURCE}/main.tsx`]);

export function words(pages: string[]): Plugin {
  const root = SOURCE;
  let parts: Record<string, string[]> | undefined;
  const cut = () => (parts ??= partsOf(root, pages));
  return {
    name: "words",
    buildStart() {
      parts = undefined;
    },
    resolveId: (id) => (id === VIRTUAL || id.startsWith(`${VIRTUAL}/`) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${VIRTUAL}`)) return undefined;
      const [, language, part] = id.split("/");
      if (!language || !part) {
        const of = (one: string) => Object.keys(cut()).map((name) => `"${one}/${name}": () => import("${VIRTUAL}/${one}/${name}")`);
        return `export default { ${LANGUAGES.flatMap(of).join(", ")} };`;
      }
      const file = `${root}/i18n/${language}.json`;
      this.addWatchFile(file);
      const messages = JSON.parse(readFileSync(file, "utf8")) as Messages;
      const own = (cut()[part] ?? []).map((key) => [key, messages[key] ?? ""]);
      return `export default ${JSON.stringify(Object.fromEntries(own))};`;
    },
    hotUpdate({ file }) {
      if (/\.(tsx?|json)$/.test(file) && !relative(root, file).startsWith("..")) parts = undefined;
    },
  };
}
