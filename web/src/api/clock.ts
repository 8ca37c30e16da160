// The server's time, as far as its Date headers tell: a phone whose clock is wrong must not make work seem shorter or longer.

const KEY = "melmastoon.clock-offset";
let offset = Number(globalThis.localStorage?.getItem(KEY) ?? 0) || 0;

export function learnTime(response: Response, asked: number, now = Date.now()): void {
  const told = Date.parse(response.headers.get("date") ?? "");
  // An answer that took long, or came from a cache, says little about now.
  if (!Number.isFinite(told) || now - asked > 5_000) return;
  const measured = told + 500 - (asked + now) / 2;
  // Date counts whole seconds: what is within them is no news.
  offset = Math.abs(measured - offset) > 1_500 ? Math.round(measured) : offset;
  globalThis.localStorage?.setItem(KEY, String(offset));
}

/** Milliseconds now, by the server's clock. */
export function serverNow(): number {
  return Date.now() + offset;
}

export function serverIso(): string {
  return new Date(serverNow()).toISOString();
}
