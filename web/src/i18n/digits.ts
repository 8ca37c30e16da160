// Digits as people read them: ۰–۹ in Pashto and Dari. Only for figures; a room's number stays as it is on the door.
import type { Language } from "./index";

const EASTERN = "۰۱۲۳۴۵۶۷۸۹";

export function digitsOf(value: number | string, language: Language): string {
  const text = String(value);
  if (language === "en") return text;
  return text.replace(/[0-9]/g, (digit) => EASTERN[Number(digit)] ?? digit).replace(/(?<=[۰-۹])\.(?=[۰-۹])/g, "٫");
}

/** What somebody typed, whichever digits the keyboard gave. */
export function plainDigits(text: string): string {
  return text.replace(/[۰-۹]/g, (d) => String(d.charCodeAt(0) - 0x06f0)).replace(/[٠-٩]/g, (d) => String(d.charCodeAt(0) - 0x0660));
}

/** For finding what somebody typed: any digits, any letters, no blanks around. */
export const asTyped = (text: string): string => plainDigits(text).trim().toLowerCase();
