// The messages are cut by page, and nobody is left without words.
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { partsOf } from "../../scripts/words";
import pages from "../app/pages.json";
import en from "./en.json";

const root = `${process.cwd()}/src`;
const folders = [...new Set(pages.map((page) => page.folder))];
const parts = partsOf(root, folders);
const textOf = (name: string) => readFileSync(`${root}/${name}`, "utf8");

describe("messages by page", () => {
  it("every page has a part, and one holds what every page needs", () => {
    expect(Object.keys(parts).sort()).toEqual(["base", "more", ...folders].sort());
    expect(parts.base).toEqual(expect.arrayContaining(["nav.my", "frame.logout", "state.retry", "time.minutes.other"]));
  });

  it("a page has what its code names, at once or in what comes right after", () => {
    for (const folder of folders) {
      const own = new Set([...(parts.base ?? []), ...(parts[folder] ?? [])]);
      const named = [...textOf(`${folder}/page.tsx`).matchAll(/\bt\("([\w.-]+)"/g)].map((found) => found[1] as string);
      expect(named.filter((key) => !own.has(key)), folder).toEqual([]);
    }
  });

  it("takes along whole groups for the server's words, and the beginnings of made-up keys", () => {
    expect(parts.my).toEqual(expect.arrayContaining(["pauseReason.break", "taskStatus.paused", "kind.turnover"]));
    expect(parts.linen).toEqual(expect.arrayContaining(["linen.issue", "linen.return", "linenLine.bath_towel"].filter((key) => key in en)));
    expect(parts.plan).toContain("reason.saves_floors.one");
  });

  it("the phone does not carry the office's words", () => {
    for (const group of ["roster.", "stats.", "settings.", "desk.", "chart.", "problem."]) {
      expect((parts.my ?? []).filter((key) => key.startsWith(group)), group).toEqual([]);
      expect((parts.base ?? []).filter((key) => key.startsWith(group)), group).toEqual([]);
    }
  });

  it("every message is in some part: one that no page can say is of no use", () => {
    const said = new Set(Object.values(parts).flat());
    expect(Object.keys(en).filter((key) => !said.has(key))).toEqual([]);
  });

  it("no code takes a message's key from anywhere but its own file", () => {
    // A key that is put together from two variables could not be found by reading: only these two places may do it.
    const files = readdirSync(root, { recursive: true }).map(String).filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
    const made = files.filter((name) => /\b(?:t|tn|word|hasWord)\(\s*(?:\w+[,)]|`\$\{)/.test(textOf(name)));
    expect(made.sort()).toEqual(["i18n/index.ts"]);
  });
});
