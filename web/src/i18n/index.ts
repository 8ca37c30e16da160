// The language of this device: messages, direction, and the words for what the server says.
import type en from "./en.json";
import { createStore, useStore } from "../app/store";
import { configure } from "../api/client";
import { digitsOf } from "./digits";

export type Language = "en" | "ps" | "fa";
export type Key = keyof typeof en;
export type Params = Record<string, string | number>;
type Messages = Record<string, string>;

export const LANGUAGES: { code: Language; name: string }[] = [
  { code: "en", name: "English" },
  { code: "ps", name: "پښتو" },
  { code: "fa", name: "دری" },
];

const CHOSEN = "melmastoon.language";
const load: Record<Language, () => Promise<{ default: Messages }>> = {
  en: () => import("./en.json"),
  ps: () => import("./ps.json"),
  fa: () => import("./fa.json"),
};

interface Spoken {
  language: Language;
  messages: Messages;
}
export const spoken = createStore<Spoken>({ language: "en", messages: {} });

export const dirOf = (language: Language): "ltr" | "rtl" => (language === "en" ? "ltr" : "rtl");

/** `ps-AF` and the like become one of ours. */
export function known(tag: string | null | undefined): Language | undefined {
  const short = (tag ?? "").toLowerCase().split(/[-_]/)[0];
  if (short === "prs") return "fa";
  return LANGUAGES.find((one) => one.code === short)?.code;
}

/** The choice made on the device, else the person's language, else the browser's. */
export function preferred(ofPerson?: string | null): Language {
  const chosen = known(localStorage.getItem(CHOSEN));
  const ofBrowser = (navigator.languages ?? [navigator.language]).map(known).find(Boolean);
  return chosen ?? known(ofPerson) ?? ofBrowser ?? "en";
}

export async function speak(language: Language): Promise<void> {
  const { default: messages } = await load[language]();
  spoken.set({ language, messages });
  document.documentElement.lang = language;
  document.documentElement.dir = dirOf(language);
  configure({ language });
}

/** The person's own choice, kept on the device. */
export function choose(language: Language): Promise<void> {
  localStorage.setItem(CHOSEN, language);
  return speak(language);
}

export const language = (): Language => spoken.get().language;

function fill(text: string, params: Params): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    if (value === undefined) return whole;
    if (typeof value === "number") return digitsOf(value, language());
    // A Latin name in a sentence from right to left would pull the signs beside it out of their place.
    return language() !== "en" && /[A-Za-z]/.test(value) ? `\u2068${value}\u2069` : value;
  });
}

/** The message in the language of the device. Numbers get its digits; words, such as room numbers, stay as stored. */
export function t(key: Key, params: Params = {}): string {
  return fill(spoken.get().messages[key] ?? key, params);
}

/** Pashto: one is 1. Dari: one is 0 and 1. */
export function pluralOf(count: number, lang: Language): "one" | "other" {
  const magnitude = Math.abs(count);
  return magnitude === 1 || (lang === "fa" && magnitude === 0) ? "one" : "other";
}

type Counted = Key extends infer K ? (K extends `${infer Base}.one` ? Base : never) : never;

export function tn(base: Counted, count: number, params: Params = {}): string {
  return t(`${base}.${pluralOf(count, language())}` as Key, { count, ...params });
}

/** The words for one of the server's own: statuses, kinds, causes, codes. What is unknown is shown as it came. */
export function word(group: string, value: string, params: Params = {}): string {
  const text = spoken.get().messages[`${group}.${value}`];
  return text === undefined ? value.replaceAll("_", " ") : fill(text, params);
}

/** Whether there are words for it. */
export const hasWord = (group: string, value: string): boolean => spoken.get().messages[`${group}.${value}`] !== undefined;

/** Draws again when the language changes. */
export function useLanguage(): Language {
  return useStore(spoken, (now) => now.language);
}
