// A change that needs the net: it is sent at once, under a key of its own, and its answer is waited for.
import { useState } from "preact/hooks";
import { needMoreWords } from "../i18n";
import { titleOf } from "../ui/states";
import { toast } from "../ui/toast";
import { ask } from "./client";
import { type Problem, problemOf } from "./problem";

export const change = <T>(method: string, path: string, body?: unknown, ifMatch?: string): Promise<T> =>
  ask<T>(method, path, body, { "idempotency-key": crypto.randomUUID(), ...(ifMatch ? { "if-match": ifMatch } : {}) });

/** One change at a time; a refusal is told, and given to whoever can do something about it. */
export function useChange(): {
  busy: boolean;
  run: (work: () => Promise<unknown>, done?: string, refused?: (problem: Problem) => boolean) => Promise<boolean>;
} {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    async run(work, done, refused) {
      setBusy(true);
      try {
        await work();
        if (done) toast(done);
        return true;
      } catch (error) {
        const problem = problemOf(error);
        await needMoreWords();
        if (!refused?.(problem)) toast(titleOf(problem));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
