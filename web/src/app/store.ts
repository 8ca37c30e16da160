// A value that parts of the page can watch.
import { useEffect, useState } from "preact/hooks";

export interface Store<T> {
  get(): T;
  set(next: T | ((now: T) => T)): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const now = typeof next === "function" ? (next as (now: T) => T)(value) : next;
      if (Object.is(now, value)) return;
      value = now;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Draws again only when what was selected is another value. */
export function useStore<T, S = T>(store: Store<T>, select: (value: T) => S = (value) => value as unknown as S): S {
  const [, redraw] = useState(0);
  const selected = select(store.get());
  useEffect(() => {
    let last = selected;
    const look = () => {
      const now = select(store.get());
      if (Object.is(now, last)) return;
      last = now;
      redraw((n) => n + 1);
    };
    look();
    return store.subscribe(look);
    // `select` is written in place by every caller; what it selects from is the store.
  }, [store, selected]);
  return selected;
}
