import type { BrowserContext } from "@playwright/test";
export const mirror: (context: BrowserContext, house: string) => Promise<void>;
