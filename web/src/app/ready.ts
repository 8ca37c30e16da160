// `data-ready` of the app: whether the page's data is painted. Checks wait for it.
import { useEffect } from "preact/hooks";
import { createStore } from "./store";

export const ready = createStore(false);

/** A page says when what it came for is on the screen; an error or an empty page counts too. */
export function useReady(isReady: boolean): void {
  useEffect(() => {
    ready.set(isReady);
  }, [isReady]);
  useEffect(() => () => ready.set(false), []);
}
