// What a guest has to pay, in the reader's digits, and in which order the desk sees its guests.
import { afterEach, expect, it, vi } from "vitest";
import type { BoardRoom } from "../api/types";
import { speak, spoken } from "../i18n";
import { zone } from "../i18n/dates";
import { type Stay, amount, byRoom, byTurn, readyWhen } from "./data";

afterEach(() => spoken.set({ language: "en", messages: {} }));

it("tells an amount in the reader's digits", () => {
  expect(amount("7200500000", "AFN")).toBe("7,200.5 AFN");
  spoken.set({ language: "ps", messages: {} });
  expect(amount("7200500000", "AFN")).toBe("۷٬۲۰۰٫۵ AFN");
  expect(amount(null, null)).toBe("۰");
});

const stay = (number: string | null, expectedArrivalAt: string | null, status = "confirmed") => ({ status, expectedArrivalAt, items: [{ number }] }) as unknown as Stay;
const numbers = (stays: Stay[]) => stays.map((one) => one.items[0]?.number);

it("has whoever stands at the desk first, then by the hour they are expected at, then by number", () => {
  const stays = [
    stay("210", "2026-11-18T03:00:00Z"),
    stay("1002", null),
    stay("411", "2026-11-18T01:45:00Z"),
    stay("206", "2026-11-18T05:00:00Z", "check_in_started"),
    stay("99", null),
    stay("102", "2026-11-18T03:00:00+00:00"),
    stay(null, "2026-11-18T06:00:00Z"),
  ];
  expect(numbers([...stays].sort(byTurn))).toEqual(["206", "411", "102", "210", null, "99", "1002"]);
});

it("finds whoever leaves by the number of the room", () => {
  expect(numbers([stay("402", null), stay("99", null), stay("101", null)].sort(byRoom))).toEqual(["99", "101", "402"]);
});

it("a room's time is told with its day, where that is not today", async () => {
  await speak("en", "desk");
  zone.set("Asia/Kabul");
  const now = Date.parse("2026-04-22T07:00:00.000Z");
  vi.useFakeTimers({ now });
  const room = (readyEtaAt: string, status: string) => ({ readyEtaAt, status }) as BoardRoom;
  expect(readyWhen(room("2026-04-22T09:00:00.000Z", "cleaning"))).toBe("at 13:30");
  expect(readyWhen(room("2026-04-23T05:30:00.000Z", "cleaning"))).toBe("tomorrow 10:00");
  expect(readyWhen(room("2026-04-23T05:30:00.000Z", "dirty"))).toBe("about tomorrow 10:00");
  vi.useRealTimers();
});
