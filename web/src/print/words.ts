// Papers are in the language of the person who carries them, whatever the screen speaks.
import { useEffect, useState } from "preact/hooks";
import { type Key, type Language, type Params, wordsOf } from "../i18n";
import { digitsOf } from "../i18n/digits";

type Messages = Record<string, string>;
export type Words = Record<Language, Messages>;

export function useAllWords(): Words | undefined {
  const [words, setWords] = useState<Words>();
  useEffect(() => {
    const own = (language: Language) => wordsOf(language, ["base", "print"]);
    void Promise.all([own("en"), own("ps"), own("fa")]).then(([en, ps, fa]) => setWords({ en, ps, fa }));
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
