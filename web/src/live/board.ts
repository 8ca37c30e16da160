// The board of the property, as fresh as can be: the copy on the device first, then the server's, then every change.
import { useEffect, useMemo } from "preact/hooks";
import { call } from "../api/client";
import { NO_ANSWER, Refused, readProblem } from "../api/problem";
import type { Board } from "../api/types";
import { afterPainted } from "../app/idle";
import { property } from "../app/session";
import { createStore, useStore } from "../app/store";
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
  name: string;
  board?: Board | undefined;
  error?: unknown;
}
const copy = createStore<Copy>({ name: "" });
let users = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastAsked = 0;
let asking = false;
let againAfter = false;

const nameOf = (id: string, staffId?: string) => `board ${id} ${staffId ?? ""}`;

function accept(name: string, board: Board): void {
  if (copy.get().name !== name) return;
  const merged = mergeBoard(copy.get().board, board);
  copy.set({ name, board: merged });
  learnNames(merged.staff);
  const at = Date.parse(board.generatedAt) || Date.now();
  copyAt.set(at);
  afterPainted(() => void copies.put(name, merged, at).catch(() => {}));
}

async function ask(id: string, staffId: string | undefined): Promise<void> {
  const name = nameOf(id, staffId);
  if (asking) {
    againAfter = true;
    return;
  }
  asking = true;
  lastAsked = Date.now();
  try {
    const path = boardPath(id, staffId);
    const had = copy.get().board?.etag;
    const response = await (early(path) ?? call(path, had ? { headers: { "if-none-match": had } } : {}));
    noticed(true);
    if (response.status === 304) {
      copyAt.set(Date.now());
      if (copy.get().error) copy.set({ name, board: copy.get().board });
    } else if (response.ok) accept(name, (await response.json()) as Board);
    else if (response.status !== 401) copy.set({ name, board: copy.get().board, error: new Refused(await readProblem(response)) });
  } catch (error) {
    noticed(false);
    copy.set({ name, board: copy.get().board, error: new Refused({ ...NO_ANSWER, detail: String(error) }) });
  } finally {
    asking = false;
    if (againAfter) {
      againAfter = false;
      schedule(id, staffId);
    }
  }
}

/** After a moment, for changes come in groups; at most twice a second. */
function schedule(id: string, staffId: string | undefined): void {
  if (timer) return;
  timer = setTimeout(
    () => {
      timer = undefined;
      void ask(id, staffId);
    },
    Math.max(AFTER, lastAsked + AT_MOST_EVERY - Date.now()),
  );
}

function open(id: string, staffId: string | undefined): () => void {
  const name = nameOf(id, staffId);
  if (copy.get().name !== name) {
    copy.set({ name });
    void copies.get<Board>(name).then((kept) => {
      if (!kept || copy.get().name !== name || copy.get().board) return;
      copy.set({ name, board: kept.value });
      learnNames(kept.value.staff);
      copyAt.set(kept.at);
    });
  }
  users += 1;
  void ask(id, staffId);
  const deaf = onNews(({ event, data }) => {
    if (event === "board" && !staffId) accept(name, JSON.parse(data) as Board);
    else schedule(id, staffId);
  });
  const unheard = onOutcome((heard) => {
    const { board } = copy.get();
    if (heard.is === "done" && board) copy.set({ name, board: applyAnswer(board, heard.body) });
    schedule(id, staffId);
  });
  return () => {
    users -= 1;
    deaf();
    unheard();
    if (!users) clearTimeout(timer), (timer = undefined);
  };
}

/** The board with everything that waits laid over it. */
export function useBoard(staffId?: string): { board: Shown | undefined; error: unknown; retry: () => void } {
  const id = useStore(property);
  useEffect(() => (id ? open(id, staffId) : undefined), [id, staffId]);
  const { board, error, name } = useStore(copy);
  const waiting = useStore(entries);
  const mine = name === nameOf(id, staffId) ? board : undefined;
  const shown = useMemo(() => mine && overlay(mine, waiting), [mine, waiting]);
  return { board: shown, error, retry: () => void ask(id, staffId) };
}
