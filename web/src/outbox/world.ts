// The sender's world in a browser, the same in a tab and in the service worker.
import { learnTime, serverNow } from "../api/clock";
import { readProblem } from "../api/problem";
import type { Entry } from "./entry";
import type { Answer, World } from "./sender";
import { CHANNEL, LOCK } from "./lock";
import { prepare, refusedIn } from "./punches";
import { deviceShelf } from "./shelf";

/** A request that hangs on half-open Wi-Fi is given up; the key makes trying again harmless. */
const PATIENCE = 30_000;

/** Somebody wants to sign in or out: what hangs is not waited for. */
let yields = new AbortController();
const patience = (): AbortSignal => {
  const late = AbortSignal.timeout(PATIENCE);
  // Browsers of before 2024 have no `any`: there it takes as long as it takes.
  return AbortSignal.any?.([late, yields.signal]) ?? late;
};

async function send(entry: Entry): Promise<Answer> {
  const signal = patience();
  const asked = Date.now();
  const bytes = entry.photo ? await deviceShelf.photo(entry.photo) : undefined;
  const body = bytes ?? entry.body;
  const response = await fetch(entry.path, {
    method: entry.method,
    credentials: "same-origin",
    signal,
    headers: {
      "idempotency-key": entry.key,
      ...(body ? { "content-type": bytes ? "image/jpeg" : "application/json" } : {}),
      ...(entry.ifMatch ? { "if-match": entry.ifMatch } : {}),
    },
    ...(body ? { body } : {}),
  });
  learnTime(response, asked);
  if (!response.ok) return { problem: await readProblem(response) };
  const text = await response.text();
  const told: unknown = text ? JSON.parse(text) : undefined;
  const refused = refusedIn(entry, told);
  return refused ? { problem: refused } : { body: told };
}

async function look(entry: Entry): Promise<{ status?: string; holder?: string } | undefined> {
  if (!entry.effect?.taskId) return undefined;
  const response = await fetch(`/housekeeping/v1/tasks/${entry.effect.taskId}`, { credentials: "same-origin", signal: patience() });
  if (response.status === 404 || response.status === 403) return undefined;
  if (!response.ok) throw new Error(String(response.status));
  const task = (await response.json()) as { status: string; assigneeStaffId?: string };
  return { status: task.status, ...(task.assigneeStaffId ? { holder: task.assigneeStaffId } : {}) };
}

const waiting = new Set<() => void>();
const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(CHANNEL);
channel?.addEventListener("message", ({ data }: MessageEvent<{ tapped?: boolean; yields?: boolean }>) => {
  if (data.yields) {
    yields.abort();
    yields = new AbortController();
  }
  if (!data.tapped) return;
  for (const go of waiting) go();
  waiting.clear();
});
const tapped = (): Promise<void> => new Promise((resolve) => waiting.add(resolve));

let busy = false;
async function alone(work: () => Promise<void>): Promise<void> {
  if (navigator.locks) {
    await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
      if (lock) await work();
    });
    return;
  }
  // An insecure origin has no locks; there this tab at least does not run against itself.
  if (busy) return;
  busy = true;
  await work().finally(() => (busy = false));
}

export function browserWorld(told: Pick<World, "changed" | "done" | "refused" | "signedOut">): World {
  return {
    shelf: deviceShelf,
    send,
    look,
    prepare: (entry) => prepare(entry, serverNow()),
    alone,
    tapped,
    now: Date.now,
    random: Math.random,
    newKey: () => crypto.randomUUID(),
    ...told,
  };
}
