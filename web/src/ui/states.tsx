// The four states that every page has beside its content.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Problem } from "../api/problem";
import { problemOf } from "../api/problem";
import { dayTime } from "../i18n/dates";
import { hasWord, needMoreWords, spoken, t, word } from "../i18n";
import { copyAt, live } from "../live/state";
import { useStore } from "../app/store";
import { Picture } from "./pictures";

/** A skeleton about as large as what will come; it shows after 150 ms, so that quick answers do not flicker. */
export function Loading({ like = "lines", count = 6 }: { like?: "lines" | "row-of"; count?: number }) {
  return (
    <div class={`skeleton ${like}`} data-testid="state-loading" role="status" aria-label={t("state.loading")}>
      {Array.from({ length: count }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

/** A sentence, and the next step. */
export function Empty({ title, children, picture = "empty" }: { title: string; children?: ComponentChildren; picture?: string }) {
  return (
    <div class="state" data-testid="state-empty">
      <Picture name={picture} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What the server's code means, in the reader's language; its own title where we have no words. */
export function titleOf(problem: Problem): string {
  if (hasWord("problem", problem.code)) return word("problem", problem.code);
  void needMoreWords();
  return problem.title || t("state.error");
}

export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = problemOf(error);
  // Its words may come a moment later.
  useStore(spoken);
  const [asked, setAsked] = useState(false);
  return (
    <div class="state" data-testid="state-error" role="alert">
      <Picture name={problem.status ? "alert" : "offline"} />
      <h2>{titleOf(problem)}</h2>
      <p class="small">
        {t("state.errorCode", { code: problem.code })}
        {problem.traceId && (
          <>
            {" · "}
            <bdi>{t("state.trace", { id: problem.traceId })}</bdi>
          </>
        )}
      </p>
      {retry && (
        <button
          class="button"
          data-testid="retry"
          disabled={asked}
          onClick={() => {
            setAsked(true);
            setTimeout(() => setAsked(false), 1_000);
            retry();
          }}
        >
          {t("state.retry")}
        </button>
      )}
    </div>
  );
}

/** How old the copy is while there is no connection. */
export function OfflineNote({ at, needsNet = false, copies = true }: { at?: number; needsNet?: boolean; copies?: boolean }) {
  const now = useStore(live);
  const board = useStore(copyAt);
  if (now !== "offline") return null;
  const since = at ?? board;
  return (
    <p class="notice warn no-print" data-testid="state-offline" role="status">
      <Picture name="offline" />
      <span>
        {t("state.offline")} {copies && `${since ? t("state.copy", { time: dayTime(since) }) : t("state.noCopy")} `}
        {t(needsNet ? "state.needsNet" : "state.kept")}
      </span>
    </p>
  );
}
