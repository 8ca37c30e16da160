// A touch is answered first; what follows from it is drawn right after that.
import { useEffect, useState } from "preact/hooks";

/** The value as it was when the page was last painted. The newest follows, once whatever shows it at once is on the screen; `rest`: and once it has been the same for so long. */
export function useAfterPaint<T>(value: T, rest = 0): T {
  const [shown, show] = useState<T>(() => value);
  useEffect(() => {
    if (!rest) return show(() => value);
    const timer = setTimeout(() => show(() => value), rest);
    return () => clearTimeout(timer);
  }, [value, rest]);
  return shown;
}
