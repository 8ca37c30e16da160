// Every message in every language, with the same parameters, and no English left by mistake.
import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import en from "./en.json";
import fa from "./fa.json";
import ps from "./ps.json";

type Messages = Record<string, string>;
const languages: Record<string, Messages> = { ps, fa };
const paramsOf = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
/** Texts that are the same in all languages: nothing but parameters and signs. */
const SAME = new Set(["said.priority"]);

describe("messages", () => {
  for (const [language, messages] of Object.entries(languages)) {
    it(`${language} has every message of en, none empty, and no other`, () => {
      expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
      expect(Object.entries(messages).filter(([, text]) => !text.trim()).map(([key]) => key)).toEqual([]);
    });
    it(`${language} has the parameters of en`, () => {
      const other = Object.entries(en).filter(([key, text]) => {
        const wanted = paramsOf(text);
        // One of something may say it without the figure.
        const given = paramsOf(messages[key] ?? "");
        return key.endsWith(".one") ? given.some((name) => !wanted.includes(name) && name !== "{count}") : wanted.join() !== given.join();
      });
      expect(other.map(([key]) => key)).toEqual([]);
    });
    it(`${language} leaves no text in English`, () => {
      const left = Object.entries(en).filter(([key, text]) => messages[key] === text && !SAME.has(key) && /[a-z]{2}/i.test(text.replace(/\{\w+\}/g, "")));
      expect(left.map(([key]) => key)).toEqual([]);
    });
  }
  it("the files are sorted, so that two people's lines meet without a quarrel", () => {
    for (const messages of [en, ps, fa]) expect(Object.keys(messages)).toEqual(Object.keys(messages).sort());
  });
  it("every plural has both forms", () => {
    const ones = Object.keys(en).filter((key) => key.endsWith(".one"));
    expect(ones.filter((key) => !(key.replace(/\.one$/, ".other") in en))).toEqual([]);
  });
  it("every message that the code names exists", () => {
    const root = `${process.cwd()}/src/`;
    const files = readdirSync(root, { recursive: true }).map(String).filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."));
    const missing = files.flatMap((name) => {
      const text = readFileSync(root + name, "utf8");
      return [...text.matchAll(/\bt\("([\w.-]+)"/g)].map((found) => found[1] as string).filter((key) => !(key in en));
    });
    expect(missing).toEqual([]);
  });
});
