// What a guest has to pay, in the reader's digits.
import { afterEach, expect, it } from "vitest";
import { spoken } from "../i18n";
import { amount } from "./data";

afterEach(() => spoken.set({ language: "en", messages: {} }));

it("tells an amount in the reader's digits", () => {
  expect(amount("7200500000", "AFN")).toBe("7,200.5 AFN");
  spoken.set({ language: "ps", messages: {} });
  expect(amount("7200500000", "AFN")).toBe("۷٬۲۰۰٫۵ AFN");
  expect(amount(null, null)).toBe("۰");
});
