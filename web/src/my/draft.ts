// What is ticked and counted but not finished: on the device's disk before the next tick, so that a killed browser loses nothing.
import { useEffect, useState } from "preact/hooks";
import { notes } from "../outbox/shelf";

export interface Draft {
  checked: Record<string, boolean>;
  issued: number;
  returned: number;
  /** Either everything is in order, or something was reported. */
  order?: "in-order" | "reported";
}

const EMPTY: Draft = { checked: {}, issued: 0, returned: 0 };
const nameOf = (taskId: string) => `draft ${taskId}`;
/** Read once; from then on here is what is true, and the disk follows. */
const open = new Map<string, Promise<Draft>>();

function read(taskId: string): Promise<Draft> {
  let draft = open.get(taskId);
  if (!draft) {
    draft = notes.get<Partial<Draft>>(nameOf(taskId)).then(
      (kept) => ({ ...EMPTY, ...kept }),
      () => EMPTY,
    );
    open.set(taskId, draft);
  }
  return draft;
}

export function useDraft(taskId: string): [Draft, (change: (now: Draft) => Draft) => void] {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  useEffect(() => {
    let gone = false;
    void read(taskId).then((kept) => !gone && setDraft(kept));
    return () => {
      gone = true;
    };
  }, [taskId]);
  const change = (to: (now: Draft) => Draft) => {
    // A tap before the disk has answered is laid over what the disk says.
    const next = read(taskId).then(to);
    open.set(taskId, next);
    void next.then((now) => {
      setDraft(now);
      return notes.put(nameOf(taskId), now).catch(() => {});
    });
  };
  return [draft, change];
}

export async function forgetDraft(taskId: string): Promise<void> {
  open.delete(taskId);
  await notes.put(nameOf(taskId), undefined).catch(() => {});
}
