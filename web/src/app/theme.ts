// Light, dark, or as the device has it.
import { createStore } from "./store";

export type Theme = "system" | "light" | "dark";
const KEY = "melmastoon.theme";
export const theme = createStore<Theme>((globalThis.localStorage?.getItem(KEY) as Theme | null) ?? "system");
const dark = matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  const chosen = theme.get();
  const shown = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
  document.documentElement.dataset.theme = shown;
  // The browser's own bar is of the page's paper.
  for (const one of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) one.content = shown === "dark" ? "#15181c" : "#f5f4f0";
}

export function chooseTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.set(next);
  apply();
}

export function startTheme(): void {
  apply();
  dark.addEventListener("change", apply);
  // Paper is white, whatever the screen is.
  addEventListener("beforeprint", () => (document.documentElement.dataset.theme = "light"));
  addEventListener("afterprint", apply);
}
