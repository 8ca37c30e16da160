// Papers are in the language of the person who carries them, whatever the screen speaks.
import { useEffect, useState } from "preact/hooks";
import type { Key, Language, Params } from "../i18n";
import { digitsOf } from "../i18n/digits";

type Messages = Record<string, string>;
const load: Record<Language, () => Promise<{ default: Messages }>> = {
  en: () => import("../i18n/en.json"),
  ps: () => import("../i18n/ps.json"),
  fa: () => import("../i18n/fa.json"),
};

export type Words = Record<Language, Messages>;

export function useAllWords(): Words | undefined {
  const [words, setWords] = useState<Words>();
  useEffect(() => {
    void Promise.all([load.en(), load.ps(), load.fa()]).then(([en, ps, fa]) => setWords({ en: en.default, ps: ps.default, fa: fa.default }));
  }, []);
  return words;
}

export function say(words: Words, lang: Language, key: Key | string, params: Params = {}): string {
  const text = words[lang][key] ?? words.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === "number" ? digitsOf(value, lang) : value;
  });
}
