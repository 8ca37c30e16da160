// The language of this device: messages, direction, and the words for what the server says.
import parts from "virtual:words";
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

const kept = new Map<string, Messages>();
async function fetchPart(language: Language, part: string): Promise<Messages> {
  const name = `${language}/${part}`;
  const found = kept.get(name) ?? (await parts[name]?.())?.default ?? {};
  kept.set(name, found);
  return found;
}

/** The messages of these parts (`base`, a page's folder, `more`) in a language, whichever the device speaks. */
export async function wordsOf(language: Language, names: Iterable<string>): Promise<Messages> {
  return Object.assign({}, ...(await Promise.all([...names].map((name) => fetchPart(language, name))))) as Messages;
}

/** The parts that somebody asked for: a change of language brings them all. */
const wanted = new Set(["base"]);
let heading: Language = "en";
let speaking: Promise<void> = Promise.resolve();

async function bring(language: Language): Promise<void> {
  await wordsOf(language, wanted);
  // Somebody may have chosen another one meanwhile.
  if (language !== heading) return speaking;
  // All that has come by now, also what was asked for while this was on its way.
  const messages = Object.assign({}, ...[...wanted].map((part) => kept.get(`${language}/${part}`))) as Messages;
  spoken.set({ language, messages });
  document.documentElement.lang = language;
  document.documentElement.dir = dirOf(language);
  configure({ language });
}

/** From now on this language, with the words of these parts beside what was asked for before. */
export function speak(language: Language, ...more: string[]): Promise<void> {
  heading = language;
  for (const part of more) wanted.add(part);
  return (speaking = bring(language));
}

/** Resolves once the words of a part are there, in the language of the device. */
export async function needWords(part: string): Promise<void> {
  if (wanted.has(part)) return speaking;
  await fetchPart(heading, part);
  return speak(heading, part);
}

/** What is said when something goes wrong. It comes by itself soon after a page is painted. */
export const needMoreWords = (): Promise<void> => needWords("more").catch(() => undefined);

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
    // A Latin name in a sentence from right to left would pull the signs beside it out of their place, and 2-101 would become 101-2.
    return language() !== "en" && /[A-Za-z]|\d\D+\d/.test(value) ? `\u2068${value}\u2069` : value;
  });
}

/** The message in the language of the device. Numbers get its digits; words, such as room numbers, stay as stored. */
export function t(key: Key, params: Params = {}): string {
  const text = spoken.get().messages[key];
  if (text === undefined) console.error(`no words for ${key}`);
  return fill(text ?? key, params);
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

/** A message of every page in a language that need not be the device's; nothing where its words have not come. */
export const wordIn = (lang: Language, key: Key): string => kept.get(`${lang}/base`)?.[key] ?? "";

/** Whether there are words for it. */
export const hasWord = (group: string, value: string): boolean => spoken.get().messages[`${group}.${value}`] !== undefined;

/** Draws again when the language changes. */
export function useLanguage(): Language {
  return useStore(spoken, (now) => now.language);
}
