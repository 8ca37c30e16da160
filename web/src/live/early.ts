// The board is asked for as soon as it is known whose: its page's code may still be on its way then, and on a slow line each wait counts.
import { PATIENCE, call } from "../api/client";
import type { Page } from "../app/match";
import { property, readsBoard, session } from "../app/session";

/** A housekeeper's own share, or the whole house. */
export const boardPath = (propertyId: string, staffId?: string): string =>
  `/housekeeping/v1/board?propertyId=${encodeURIComponent(propertyId)}${staffId ? `&staffId=${encodeURIComponent(staffId)}` : ""}`;

/** Whose share the phone's day shows: one's own, with what is finished and in the order of one's plan. */
export const shareOf = (): string | undefined => session.get().who?.staffId;

let asked: { path: string; answer: Promise<Response> } | undefined;

export function askEarly(page: Page | undefined): void {
  const house = property.get();
  if (session.get().standing !== "in" || !house || !readsBoard() || (page?.folder !== "my" && page?.folder !== "board")) return;
  const path = boardPath(house, page.folder === "my" ? shareOf() : undefined);
  asked = { path, answer: call(path, { signal: AbortSignal.timeout(PATIENCE) }) };
  // Whoever takes it hears of it; where nobody does, nobody needs to.
  asked.answer.catch(() => undefined);
}

/** The answer that was asked for early, once. */
export function early(path: string): Promise<Response> | undefined {
  const found = asked?.path === path ? asked.answer : undefined;
  asked = undefined;
  return found;
}
