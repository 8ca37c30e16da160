// The steps by which a guest comes and goes. Each has one key and one text until its answer is known: a second click after a lost answer
// takes no money twice. What was refused is settled under its key, so the next try is another request.
import { ask, readJson } from "../api/client";
import { problemOf } from "../api/problem";
import type { Stay } from "./data";

/** As far as the desk needs it: what a payment or a step answers. */
export type Bill = Pick<Stay, "status" | "balanceMicro">;

/** Nobody knows whether it was done, or it was not looked at: the very same again. */
const isOpen = (status: number, retryAfter: number | undefined): boolean =>
  status === 0 || status === 401 || status === 408 || status === 429 || status >= 500 || (status === 409 && retryAfter !== undefined);

/** Lives as long as the dialog does. */
export class Steps {
  private readonly open = new Map<string, { key: string; body: unknown }>();

  /** Whether it was sent and nobody knows what became of it. */
  isOpen(name: string): boolean {
    return this.open.has(name);
  }

  async take<T>(name: string, path: string, body: unknown): Promise<T> {
    const step = this.open.get(name) ?? { key: crypto.randomUUID(), body };
    this.open.set(name, step);
    try {
      const answer = await ask<T>("POST", path, step.body, { "idempotency-key": step.key });
      this.open.delete(name);
      return answer;
    } catch (error) {
      const { status, retryAfter } = problemOf(error);
      if (!isOpen(status, retryAfter)) this.open.delete(name);
      throw error;
    }
  }
}

const pathOf = (stay: Pick<Stay, "reservationId">) => `/reservation/v1/reservations/${stay.reservationId}`;

export const isDue = (bill: Pick<Stay, "balanceMicro">): boolean => Number(bill.balanceMicro ?? 0) > 0;

/** The bill as it is now. */
export const billOf = (stay: Pick<Stay, "reservationId">): Promise<Bill> => readJson<Bill>(pathOf(stay));

/** Begins by itself where nobody has: two requests could be half done. */
export async function checkIn(stay: Pick<Stay, "reservationId">, steps: Steps, force: boolean, assignedRooms: { itemId: string; roomId: string }[] = []): Promise<void> {
  await steps.take("check-in", `${pathOf(stay)}/check-in/complete`, { ...(force ? { force } : {}), ...(assignedRooms.length ? { assignedRooms } : {}) });
}

/** False where the bill is another than the one that was shown: `tell` has the new one, and the desk looks again. */
export async function checkOut(stay: Stay, steps: Steps, tell: (bill: Bill) => void): Promise<boolean> {
  if (isDue(stay) && !steps.isOpen("payment")) {
    const now = await billOf(stay);
    if (now.balanceMicro !== stay.balanceMicro) return tell(now), false;
  }
  if (isDue(stay) || steps.isOpen("payment")) {
    const paid = await steps.take<Bill>("payment", `${pathOf(stay)}/payments`, { method: "cash_on_arrival", amountMicro: stay.balanceMicro, currency: stay.currency });
    tell(paid);
    if (isDue(paid)) return false;
  }
  await steps.take("check-out", `${pathOf(stay)}/check-out/complete`, {});
  return true;
}
