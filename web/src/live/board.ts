// The board of the property, as fresh as can be: the copy on the device first, then the server's, then every change.
import { useEffect, useMemo } from "preact/hooks";
import { PATIENCE, call } from "../api/client";
import { NO_ANSWER, Refused, readProblem } from "../api/problem";
import type { Board } from "../api/types";
import { afterPainted } from "../app/idle";
import { property, session } from "../app/session";
import { type Store, createStore, useStore } from "../app/store";
import { entries, onOutcome } from "../outbox";
import { copies } from "../outbox/shelf";
import { boardPath, early } from "./early";
import { noticed, onNews } from "./hub";
import { applyAnswer, mergeBoard } from "./merge";
import { type Shown, overlay } from "./overlay";
import { learnNames } from "./people";
import { copyAt } from "./state";

const AFTER = 150;
const AT_MOST_EVERY = 500;

interface Copy {
  board?: Board | undefined;
  error?: unknown;
}

/** One house, or one person's share of it, while somebody looks at it. */
interface Feed {
  copy: Store<Copy>;
  open(): () => void;
  ask(): Promise<void>;
}

const nameOf = (id: string, staffId?: string) => `board ${id} ${staffId ?? ""}`;

function feedOf(id: string, staffId: string | undefined): Feed {
  const name = nameOf(id, staffId);
  const copy = createStore<Copy>({});
  let users = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAsked = 0;
  let asking: AbortController | undefined;
  let againAfter = false;

  function show(board: Board, at: number): void {
    copy.set({ board });
    learnNames(board.staff);
    copyAt.set(at);
  }

  function accept(board: Board): void {
    const merged = mergeBoard(copy.get().board, board);
    const at = Date.parse(board.generatedAt) || Date.now();
    show(merged, at);
    // Whoever has left meanwhile leaves no copy behind.
    afterPainted(() => void (session.get().standing === "out" || copies.put(name, merged, at).catch(() => {})));
  }

  async function ask(): Promise<void> {
    if (asking) {
      againAfter = true;
      return;
    }
    const mine = (asking = new AbortController());
    const late = setTimeout(() => mine.abort(), PATIENCE);
    const fail = (error: Refused) => copy.set({ board: copy.get().board, error });
    lastAsked = Date.now();
    try {
      const path = boardPath(id, staffId);
      const had = copy.get().board?.etag;
      const response = await (early(path) ?? call(path, { signal: mine.signal, ...(had ? { headers: { "if-none-match": had } } : {}) }));
      // The whole of it, before anybody says that there is a connection: a line may break in the middle.
      const board = response.ok ? ((await response.json()) as Board) : undefined;
      if (asking !== mine) return;
      noticed(true);
      if (board) accept(board);
      else if (response.status === 304) {
        copyAt.set(Date.now());
        if (copy.get().error) copy.set({ board: copy.get().board });
      } else if (response.status !== 401) fail(new Refused(await readProblem(response)));
    } catch (error) {
      // Nobody looked any more, so it was ended: that tells nothing about the net.
      if (asking !== mine) return;
      noticed(false);
      fail(new Refused({ ...NO_ANSWER, detail: String(error) }));
    } finally {
      clearTimeout(late);
      if (asking === mine) {
        asking = undefined;
        if (againAfter) schedule();
        againAfter = false;
      }
    }
  }

  /** After a moment, for changes come in groups; at most twice a second. */
  function schedule(): void {
    if (timer) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void ask();
      },
      Math.max(AFTER, lastAsked + AT_MOST_EVERY - Date.now()),
    );
  }

  function open(): () => void {
    users += 1;
    if (!copy.get().board) {
      void copies.get<Board>(name).then((kept) => {
        if (kept && users && !copy.get().board) show(kept.value, kept.at);
      });
    }
    void ask();
    const deaf = onNews(({ event, data }) => {
      if (event === "board" && !staffId) accept(JSON.parse(data) as Board);
      else schedule();
    });
    const unheard = onOutcome((heard) => {
      const { board } = copy.get();
      if (heard.is === "done" && board) copy.set({ board: applyAnswer(board, heard.body) });
      schedule();
    });
    return () => {
      users -= 1;
      deaf();
      unheard();
      if (users) return;
      clearTimeout(timer);
      timer = undefined;
      asking?.abort();
      asking = undefined;
    };
  }
  return { copy, open, ask };
}

const feeds = new Map<string, Feed>();
// Whoever comes next sees nothing of what another one saw.
session.subscribe(() => session.get().standing === "out" && feeds.clear());

function feed(id: string, staffId: string | undefined): Feed {
  const name = nameOf(id, staffId);
  const found = feeds.get(name) ?? feedOf(id, staffId);
  feeds.set(name, found);
  return found;
}

/** The board with everything that waits laid over it. */
export function useBoard(staffId?: string): { board: Shown | undefined; error: unknown; retry: () => void } {
  const id = useStore(property);
  const own = feed(id, staffId);
  useEffect(() => (id ? own.open() : undefined), [own]);
  const { board, error } = useStore(own.copy);
  const waiting = useStore(entries);
  const shown = useMemo(() => board && overlay(board, waiting), [board, waiting]);
  return { board: shown, error, retry: () => void own.ask() };
}
