// What is ticked and counted but not finished: kept on the device, so that a killed tab loses nothing.
import { useState } from "preact/hooks";

export interface Draft {
  checked: Record<string, boolean>;
  issued: number;
  returned: number;
  /** Either everything is in order, or something was reported. */
  order?: "in-order" | "reported";
}

const EMPTY: Draft = { checked: {}, issued: 0, returned: 0 };
const keyOf = (taskId: string) => `melmastoon.draft.${taskId}`;

export function useDraft(taskId: string): [Draft, (change: (now: Draft) => Draft) => void] {
  const [draft, setDraft] = useState<Draft>(() => {
    try {
      return { ...EMPTY, ...(JSON.parse(localStorage.getItem(keyOf(taskId)) ?? "{}") as Partial<Draft>) };
    } catch {
      return EMPTY;
    }
  });
  const change = (to: (now: Draft) => Draft) =>
    setDraft((now) => {
      const next = to(now);
      localStorage.setItem(keyOf(taskId), JSON.stringify(next));
      return next;
    });
  return [draft, change];
}

export const forgetDraft = (taskId: string): void => localStorage.removeItem(keyOf(taskId));
