// A touch is answered first; what follows from it is drawn right after that.
import { useEffect, useState } from "preact/hooks";

/** The value as it was when the page was last painted. The newest follows, once whatever shows it at once is on the screen. */
export function useAfterPaint<T>(value: T): T {
  const [shown, show] = useState<T>(() => value);
  useEffect(() => show(() => value), [value]);
  return shown;
}
