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
  // One word for one thing: whoever reads little learns each word once. Beside each stands the word that the house uses.
  it("ps and fa name each thing by one word, and Dari is that of Afghanistan", () => {
    const gone: Record<string, Record<string, string>> = {
      ps: { مشر: "څارونکی", کتان: "پوښونه", ناپاک: "چټل", ناول: "چټل", مېز: "استقبالیه", انځور: "عکس", ټېلیفون: "ټلیفون", تشه: "خالي", اوونۍ: "اونۍ", بیړن: "بېړنی" },
      fa: { نوبت: "نوکری", برنامه: "پلان", تایید: "قبول، منظور", دیرتر: "ناوقت‌تر", تلفن: "تلیفون", تلفون: "تلیفون", روکش: "روجایی", ملحفه: "روجایی", مسدود: "بندش", بازرسی: "بررسی", مرورگر: "براوزر", حذف: "پاک کردن", ناپاک: "چتل", کثیف: "چتل", "میز ": "پذیرش" },
    };
    // What somebody's turn is, and what an app is called, are other things.
    const meant = new Set(["desk.comesFirst", "my.install"]);
    for (const [language, words] of Object.entries(gone)) {
      const found = Object.entries(languages[language] ?? {}).filter(([key, text]) => !meant.has(key) && Object.keys(words).some((word) => text.includes(word)));
      expect(found).toEqual([]);
    }
  });
  it("the letters are those of the language: no Arabic kaf, and no Arabic yeh in Dari", () => {
    expect(Object.entries(ps).filter(([, text]) => /[كىة]/.test(text))).toEqual([]);
    expect(Object.entries(fa).filter(([, text]) => /[كىيۍېةګښږڼ]/.test(text))).toEqual([]);
  });
  it("the app's name is spelled as guests are, before any words have come too", () => {
    expect([ps["app.name"], fa["app.name"]]).toEqual(["مېلمستون", "میلمستون"]);
    const page = readFileSync(`${process.cwd()}/index.html`, "utf8");
    for (const messages of [ps, fa]) expect(page).toContain(messages["app.name"]);
  });
  it("what leaves a question and what answers it are two words", () => {
    const answers = ["board.waive", "board.pass", "board.fail", "board.cancelTask", "outbox.drop", "lost.dispose", "roster.reject", "action.confirm", "action.save", "action.close"] as const;
    for (const messages of [ps, fa]) expect(answers.filter((key) => messages[key].startsWith(messages["action.cancel"].slice(0, 5)))).toEqual([]);
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
