// What everybody may know of the server: its version, and whether it is the demo.
import { createStore } from "./store";

export interface Config {
  version: string;
  demo: boolean;
  /** The demo's hotel, so that its staff codes work without a link. */
  tenantId?: string | undefined;
}
const KEY = "melmastoon.config";
/** As it was told last, so that nothing moves when it is told again. */
function kept(): Config {
  try {
    return { version: "", demo: false, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Config>) };
  } catch {
    return { version: "", demo: false };
  }
}
export const config = createStore<Config>(kept());

export async function loadConfig(): Promise<void> {
  try {
    const response = await fetch("/web/config", { signal: AbortSignal.timeout(4_000) });
    if (!response.ok) return;
    const told = (await response.json()) as Partial<Config>;
    config.set({ version: told.version ?? "", demo: Boolean(told.demo), tenantId: told.tenantId });
    localStorage.setItem(KEY, JSON.stringify(config.get()));
  } catch {
    // No answer: what was told last holds.
  }
}
