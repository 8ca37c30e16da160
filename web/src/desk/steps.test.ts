import { afterEach, describe, expect, it, vi } from "vitest";
import type { Stay } from "./data";
import { type Bill, Steps, checkIn, checkOut } from "./steps";

interface Asked {
  what: string;
  key: string | null;
  body: unknown;
}
type Reply = Bill | { problem: number; code?: string } | "silence";

/** A desk's server: what it answers, one after the other, and what it was asked. */
function answering(...replies: Reply[]): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const what = `${init.method ?? "GET"} ${path.split("/").slice(5).join("/")}`.trim();
    asked.push({ what, key: new Headers(init.headers).get("idempotency-key"), body: init.body ? JSON.parse(String(init.body)) : undefined });
    const reply = replies.shift() ?? "silence";
    if (reply === "silence") throw new TypeError("no net");
    if ("problem" in reply) return new Response(JSON.stringify({ code: reply.code ?? "X" }), { status: reply.problem });
    return new Response(JSON.stringify(reply), { status: 200 });
  });
  return asked;
}
afterEach(() => vi.unstubAllGlobals());

const stay = { reservationId: "rsv_1", status: "checked_in", balanceMicro: "2400000000", currency: "AFN" } as Stay;
const owes = (balanceMicro: string): Bill => ({ status: "checked_in", balanceMicro });

describe("checking out", () => {
  it("takes the cash in a word that the contract knows, then lets the guest go", async () => {
    const asked = answering(owes("2400000000"), owes("0"), { status: "checked_out", balanceMicro: "0" });
    expect(await checkOut(stay, new Steps(), () => {})).toBe(true);
    expect(asked.map((one) => one.what)).toEqual(["GET", "POST payments", "POST check-out/complete"]);
    expect(asked[1]?.body).toEqual({ method: "cash_on_arrival", amountMicro: "2400000000", currency: "AFN" });
  });

  it("never takes money twice: after a lost answer the same key and the same text go again", async () => {
    const steps = new Steps();
    const asked = answering(owes("2400000000"), "silence", { problem: 503 }, owes("0"), { status: "checked_out", balanceMicro: "0" });
    await expect(checkOut(stay, steps, () => {})).rejects.toThrow();
    await expect(checkOut(stay, steps, () => {})).rejects.toThrow();
    expect(await checkOut(stay, steps, () => {})).toBe(true);
    const payments = asked.filter((one) => one.what === "POST payments");
    expect(payments).toHaveLength(3);
    expect(new Set(payments.map((one) => JSON.stringify([one.key, one.body]))).size).toBe(1);
  });

  it("pays once where the guest could not be let go at first", async () => {
    const steps = new Steps();
    let now = stay;
    const tell = (bill: Bill) => (now = { ...now, ...bill });
    const asked = answering(owes("2400000000"), owes("0"), "silence", { status: "checked_out", balanceMicro: "0" });
    await expect(checkOut(now, steps, tell)).rejects.toThrow();
    expect(await checkOut(now, steps, tell)).toBe(true);
    expect(asked.filter((one) => one.what === "POST payments")).toHaveLength(1);
    const [first, second] = asked.filter((one) => one.what === "POST check-out/complete");
    expect(second?.key).toBe(first?.key);
  });

  it("shows a bill that has changed, and takes nothing", async () => {
    const told: Bill[] = [];
    const asked = answering(owes("2900000000"));
    expect(await checkOut(stay, new Steps(), (bill) => told.push(bill))).toBe(false);
    expect(told).toEqual([owes("2900000000")]);
    expect(asked.map((one) => one.what)).toEqual(["GET"]);
  });

  it("does not let a guest go who still owes after paying", async () => {
    const asked = answering(owes("2400000000"), owes("100000000"));
    expect(await checkOut(stay, new Steps(), () => {})).toBe(false);
    expect(asked.map((one) => one.what)).toEqual(["GET", "POST payments"]);
  });

  it("asks anew, under another key, what was refused", async () => {
    const steps = new Steps();
    const paid = { ...stay, balanceMicro: "0" };
    const asked = answering({ problem: 409, code: "FOLIO_UNSETTLED" }, { status: "checked_out", balanceMicro: "0" });
    await expect(checkOut(paid, steps, () => {})).rejects.toThrow();
    expect(await checkOut(paid, steps, () => {})).toBe(true);
    expect(asked[1]?.key).not.toBe(asked[0]?.key);
  });
});

describe("checking in", () => {
  it("is one request, so that nothing is half done, and says `force` where the room is not ready", async () => {
    const asked = answering({ problem: 409, code: "ROOM_NOT_READY" }, { status: "checked_in", balanceMicro: "0" });
    const steps = new Steps();
    await expect(checkIn(stay, steps, false)).rejects.toThrow();
    await checkIn(stay, steps, true);
    expect(asked.map((one) => [one.what, one.body])).toEqual([
      ["POST check-in/complete", {}],
      ["POST check-in/complete", { force: true }],
    ]);
    expect(asked[1]?.key).not.toBe(asked[0]?.key);
  });
});
