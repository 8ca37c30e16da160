// What is ticked and counted but not finished: on the device's disk before the next tick, so that a killed browser loses nothing.
import { useEffect, useState } from "preact/hooks";
import { session } from "../app/session";
import { notes } from "../outbox/shelf";

export interface Draft {
  checked: Record<string, boolean>;
  issued: number;
  returned: number;
  /** Either everything is in order, or something was reported. */
  order?: "in-order" | "reported";
}

const EMPTY: Draft = { checked: {}, issued: 0, returned: 0 };
/** Whoever has the phone next has ticked nothing. */
const nameOf = (taskId: string) => `draft ${session.get().who?.staffId} ${taskId}`;
/** Read once; from then on here is what is true, and the disk follows. */
const open = new Map<string, Promise<Draft>>();

function read(name: string): Promise<Draft> {
  let draft = open.get(name);
  if (!draft) {
    draft = notes.get<Partial<Draft>>(name).then(
      (kept) => ({ ...EMPTY, ...kept }),
      () => EMPTY,
    );
    open.set(name, draft);
  }
  return draft;
}

export function useDraft(taskId: string): [Draft, (change: (now: Draft) => Draft) => void] {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const name = nameOf(taskId);
  useEffect(() => {
    let gone = false;
    void read(name).then((kept) => !gone && setDraft(kept));
    return () => {
      gone = true;
    };
  }, [name]);
  const change = (to: (now: Draft) => Draft) => {
    // A tap before the disk has answered is laid over what the disk says.
    const next = read(name).then(to);
    open.set(name, next);
    void next.then((now) => {
      setDraft(now);
      return notes.put(name, now).catch(() => {});
    });
  };
  return [draft, change];
}

export async function forgetDraft(taskId: string): Promise<void> {
  const name = nameOf(taskId);
  open.delete(name);
  await notes.put(name, undefined).catch(() => {});
}
