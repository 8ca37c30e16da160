// The clock's own way: a punch that waited over four minutes is told as one that was made without a net. Its own id keeps it single.
import { NO_ANSWER, type Problem } from "../api/problem";
import type { Entry } from "./entry";
import { PUNCHES, REPLAY } from "./paths";

const FRESH_FOR = 4 * 60_000;

export interface Punch {
  kind: "in" | "out" | "break_started" | "break_ended";
  at: string;
  propertyId: string;
  source: "web";
  deviceId: string;
  clientPunchId: string;
}

/** Another request needs another key; the punch's own id makes both one. */
export function prepare(entry: Entry, now: number): Entry | undefined {
  if (entry.path !== PUNCHES || now - Date.parse(entry.at) < FRESH_FOR) return undefined;
  const { kind, at, propertyId, deviceId, clientPunchId } = JSON.parse(entry.body) as Punch;
  const body = { deviceId, sentAt: new Date(now).toISOString(), punches: [{ clientPunchId, kind, at, propertyId }] };
  const { firstTriedAt: _tried, ...rest } = entry;
  return { ...rest, path: REPLAY, body: JSON.stringify(body), key: `${entry.key}-replay` };
}

/** A replay answers 200 and says for each punch what became of it. */
export function refusedIn(entry: Entry, body: unknown): Problem | undefined {
  if (entry.path !== REPLAY) return undefined;
  const [result] = (body as { results?: { outcome: string; code?: string }[] } | undefined)?.results ?? [];
  if (result?.outcome !== "refused") return undefined;
  const fullCode = result.code ?? "REFUSED";
  return { ...NO_ANSWER, status: 422, fullCode, code: fullCode.split(".").at(-1) ?? fullCode };
}
