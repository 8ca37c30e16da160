// Who asked for leave, and what one shift leaves to the next.
import { useQuery } from "../api/query";
import { useState } from "preact/hooks";
import { change, useChange } from "../api/change";
import { readJson } from "../api/client";
import { problemOf } from "../api/problem";
import { t, word } from "../i18n";
import { dayTime, noonOf, shortDate } from "../i18n/dates";
import { range } from "../i18n/days";
import { useNames } from "../live/people";
import { Picture } from "../ui/pictures";
import { Failed } from "../ui/states";
import type { Leave, Note } from "./data";

/** Asked for with the week, by the page: what stands below it must not grow under the pointer. */
export const useLeave = (house: string) =>
  useQuery({
    queryKey: ["leave", house],
    enabled: Boolean(house),
    queryFn: () => readJson<{ items: Leave[] }>(`/staff/v1/leave?propertyId=${encodeURIComponent(house)}&limit=100`),
  });

export const useNotes = (house: string) =>
  useQuery({
    queryKey: ["handoff-notes", house],
    enabled: Boolean(house),
    queryFn: () => {
      const since = new Date(Date.now() - 2 * 86_400_000).toISOString();
      return readJson<{ items: Note[] }>(`/staff/v1/handoff-notes?propertyId=${encodeURIComponent(house)}&since=${since}`);
    },
  });

export function LeaveList({ house, again }: { house: string; again: () => void }) {
  const name = useNames();
  const { busy, run } = useChange();
  const { data, error, refetch } = useLeave(house);
  if (error && !data) return problemOf(error).status === 404 ? null : <Failed error={error} retry={() => void refetch()} />;
  const waiting = (data?.items ?? []).filter((one) => one.status === "requested");
  const decided = (data?.items ?? []).filter((one) => one.status === "approved").slice(0, 5);
  const decide = async (one: Leave, decision: "approve" | "reject") => {
    await run(() => change("POST", `/staff/v1/leave/${one.leaveRequestId}/decide`, { decision }, `"${one.version}"`), t(decision === "approve" ? "roster.approved" : "roster.rejected"));
    await refetch();
    again();
  };
  return (
    <section class="card stack" aria-labelledby="leave">
      <h2 id="leave">{t("roster.leave")}</h2>
      {!waiting.length && <p class="soft">{t("roster.noLeave")}</p>}
      <ul class="stack">
        {[...waiting, ...decided].map((one) => (
          <li key={one.leaveRequestId} class="row" data-testid="leave" data-id={one.leaveRequestId} data-status={one.status}>
            <span class="grow">
              <b>
                <bdi>{name(one.staffId)}</bdi>
              </b>{" "}
              {word("leaveType", one.type)} · {one.windowLocal.to === one.windowLocal.from ? shortDate(noonOf(one.windowLocal.from)) : range(shortDate(noonOf(one.windowLocal.from)), shortDate(noonOf(one.windowLocal.to)))}
              {one.reason && (
                <span class="small soft">
                  {" "}
                  <bdi>{one.reason}</bdi>
                </span>
              )}
            </span>
            {one.status === "requested" ? (
              <>
                <button class="button small primary" data-testid="leave-approve" disabled={busy} onClick={() => void decide(one, "approve")}>
                  {t("roster.approve")}
                </button>
                <button class="button small" data-testid="leave-reject" disabled={busy} onClick={() => void decide(one, "reject")}>
                  {t("roster.reject")}
                </button>
              </>
            ) : (
              <span class="chip">{word("leaveStatus", one.status)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Notes({ house }: { house: string }) {
  const name = useNames();
  const { busy, run } = useChange();
  const [text, setText] = useState("");
  const { data, error, refetch } = useNotes(house);
  if (error && !data) return problemOf(error).status === 404 ? null : <Failed error={error} retry={() => void refetch()} />;
  const add = async () => {
    if (await run(() => change("POST", "/staff/v1/handoff-notes", { propertyId: house, body: text.trim() }), t("roster.noted"))) setText("");
    await refetch();
  };
  return (
    <section class="card stack" aria-labelledby="notes">
      <h2 id="notes">{t("roster.notes")}</h2>
      <ul class="stack">
        {(data?.items ?? []).map((note) => (
          <li key={note.handoffNoteId} data-testid="note">
            <p class="note-body">
              <bdi>{note.body}</bdi>
            </p>
            <p class="small soft">
              <bdi>{name(note.fromStaffId)}</bdi> {(note.createdAt ?? note.writtenAt) && `· ${dayTime(note.createdAt ?? note.writtenAt ?? "")}`}
            </p>
          </li>
        ))}
      </ul>
      {data && !data.items.length && <p class="soft">{t("roster.noNotes")}</p>}
      <label class="field">
        <span>{t("roster.newNote")}</span>
        <textarea class="input" rows={2} maxLength={10_000} data-testid="note-text" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button class="button" data-testid="note-add" disabled={busy || !text.trim()} onClick={() => void add()}>
        <Picture name="plus" />
        {t("roster.addNote")}
      </button>
    </section>
  );
}
