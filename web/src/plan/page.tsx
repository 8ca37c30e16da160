// The planner's advice, row by row, with its reasons. A person decides.
import { useQuery, useQueryClient } from "../api/query";
import { useEffect, useState } from "preact/hooks";
import { HOUSEKEEPING, api, ask, read } from "../api/client";
import type { SuggestedRow, Suggestion } from "../api/types";
import { useReady } from "../app/ready";
import { property } from "../app/session";
import { useStore } from "../app/store";
import { clockTime, dayTime } from "../i18n/dates";
import { range } from "../i18n/days";
import { needMoreWords, t, tn, useLanguage, word } from "../i18n";
import { useBoard } from "../live/board";
import { onNews } from "../live/hub";
import { live } from "../live/state";
import { useNames } from "../live/people";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote, titleOf } from "../ui/states";
import { problemOf } from "../api/problem";
import { announce, toast } from "../ui/toast";
import { LanesPicture } from "./lanes-picture";
import { Reasons, reasonText } from "./reasons";
import "../ui/pictures-office";
import "./plan.css";

type Decision = "approve" | "reject";

export default function PlanPage() {
  useLanguage();
  const nameOf = useNames();
  const house = useStore(property);
  const offline = useStore(live) === "offline";
  const queries = useQueryClient();
  const { board, error: noBoard } = useBoard();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const key = ["plan", house];
  const plan = useQuery({
    queryKey: key,
    enabled: Boolean(house),
    queryFn: async () => {
      const query = { propertyId: house, limit: 1 };
      const page = await read<{ items: Suggestion[] }>(api.GET("/housekeeping/v1/routing/suggestions", { params: { query } }));
      return page.items[0] ?? null;
    },
  });
  useEffect(() => onNews(() => void queries.invalidateQueries({ queryKey: key })), [house]);
  // Names and numbers come with the rows: the picture above them is drawn once.
  const isFirst = plan.isPending || (!board && !noBoard);
  useReady(!isFirst);

  const change = async (work: () => Promise<Suggestion>, said: string) => {
    setBusy(true);
    setFailed(undefined);
    try {
      queries.setQueryData(key, await work());
      announce(said);
    } catch (error) {
      await needMoreWords();
      setFailed(error);
      toast(titleOf(problemOf(error)));
      void plan.refetch();
    } finally {
      setBusy(false);
    }
  };
  const idempotent = () => ({ "idempotency-key": crypto.randomUUID() });
  const suggest = () => void change(() => ask("POST", `${HOUSEKEEPING}/routing/suggest`, { propertyId: house }, idempotent()), t("plan.made"));
  const decide = (decision: Decision, rows?: string[]) => {
    const now = plan.data;
    if (!now) return;
    const headers = { ...idempotent(), "if-match": `"${now.version}"` };
    void change(() => ask("POST", `${HOUSEKEEPING}/routing/suggestions/${now.id}/${decision}`, rows ? { rows } : {}, headers), t(decision === "approve" ? "plan.approved" : "plan.rejected"));
  };

  const now = isFirst ? undefined : plan.data;
  const rows = now?.rows ?? [];
  const waiting = rows.filter((row) => row.outcome === "proposed");
  const people = [...new Set(rows.map((row) => row.staffId))];
  const off = busy || offline;
  return (
    <div class="page plan">
      <header class="page-head">
        <h1>{t("nav.plan")}</h1>
        {waiting.length > 0 && (
          <div class="row">
            <button class="button primary" data-testid="plan-approve-all" disabled={off} onClick={() => decide("approve")}>
              <Picture name="tick" />
              {tn("plan.approveAll", waiting.length)}
            </button>
            <button class="button" data-testid="plan-reject-all" disabled={off} onClick={() => decide("reject")}>
              {t("plan.rejectAll")}
            </button>
          </div>
        )}
        <button class={`button ${waiting.length ? "" : "primary"}`} data-testid="plan-suggest" disabled={off} onClick={suggest}>
          {busy ? t("plan.thinking") : t("plan.suggest")}
        </button>
      </header>
      <OfflineNote needsNet at={plan.dataUpdatedAt} />
      {failed !== undefined && (
        <p class="notice bad" role="alert" data-testid="plan-refused" data-code={problemOf(failed).code}>
          {titleOf(problemOf(failed))} <span class="small soft">{t("state.errorCode", { code: problemOf(failed).code })}</span>
        </p>
      )}
      {isFirst && <Loading count={6} />}
      {plan.isError && plan.data === undefined && <Failed error={plan.error} retry={() => void plan.refetch()} />}
      {now === null && (
        <Empty title={t("plan.none")} picture="plan">
          <p>{t("plan.noneNext")}</p>
        </Empty>
      )}
      {now && (
        <>
          <p class="soft">
            {t("plan.generated", { time: dayTime(now.generatedAt) })} · <span data-testid="plan-status" data-status={now.status}>{word("planStatus", now.status)}</span>
            {now.source === "planner_fallback" && ` · ${t("plan.fallback")}`}
          </p>
          {now.note && (
            <p class="notice warn" data-testid="plan-note" data-note={now.note}>
              <Picture name="info" />
              {word("planNote", now.note)}
            </p>
          )}
          <LanesPicture rows={rows.filter((row) => row.outcome !== "rejected")} board={board} />
          {people.map((staffId) => {
            const own = rows.filter((row) => row.staffId === staffId).sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
            const open = own.filter((row) => row.outcome === "proposed");
            return (
              <section class="card plan-person" key={staffId}>
                <header class="row">
                  <h2 class="grow">
                    <bdi>{nameOf(staffId)}</bdi> <span class="soft small">{tn("board.rooms", own.length)}</span>
                  </h2>
                  {open.length > 0 && (
                    <>
                      <button class="button small" data-testid="person-approve" data-staff-id={staffId} disabled={off} onClick={() => decide("approve", open.map((row) => row.taskId))}>
                        {tn("plan.approveAll", open.length)}
                      </button>
                      <button class="button small quiet" data-testid="person-reject" data-staff-id={staffId} disabled={off} onClick={() => decide("reject", open.map((row) => row.taskId))}>
                        {t("plan.rejectAll")}
                      </button>
                    </>
                  )}
                </header>
                <ol class="plan-rows">
                  {own.map((row) => (
                    <Row key={row.taskId} row={row} board={board} off={off} decide={decide} />
                  ))}
                </ol>
              </section>
            );
          })}
          {now.unassigned.length > 0 && (
            <section class="card stack">
              <h2>{t("plan.open")}</h2>
              <ul class="plan-rows">
                {now.unassigned.map((one) => {
                  const task = board?.tasks.find((it) => it.taskId === one.taskId);
                  const room = board?.rooms.find((it) => it.roomId === task?.roomId);
                  return (
                    <li class="plan-row" key={one.taskId} data-testid="plan-open" data-task-id={one.taskId} data-code={one.reason.code}>
                      <b class="plan-room">
                        <bdi>{room?.number ?? "…"}</bdi>
                      </b>
                      <span class="grow" data-testid="row-reason" data-code={one.reason.code}>
                        {reasonText(one.reason)}
                      </span>
                    </li>
                  );
                })}
              </ul>
            </section>
          )}
        </>
      )}
    </div>
  );
}

function Row({ row, board, off, decide }: { row: SuggestedRow; board: ReturnType<typeof useBoard>["board"]; off: boolean; decide: (decision: Decision, rows: string[]) => void }) {
  const nameOf = useNames();
  const room = board?.rooms.find((one) => one.roomId === row.roomId);
  const task = board?.tasks.find((one) => one.taskId === row.taskId);
  const because = row.outcome === "skipped" ? row.because : "";
  return (
    <li class={`plan-row is-${row.outcome}`} data-testid="plan-row" data-task-id={row.taskId} data-staff-id={row.staffId} data-outcome={row.outcome} data-because={because}>
      <b class="plan-room">
        <bdi>{room?.number ?? "…"}</bdi>
      </b>
      <div class="grow">
        <p class="row plan-facts">
          {row.startAt && row.finishAt && (
            <span>
              {range(clockTime(row.startAt), clockTime(row.finishAt))}
            </span>
          )}
          {task && <span>{word("kind", task.kind)}</span>}
          {row.previousStaffId && row.previousStaffId !== row.staffId && <span>{t("plan.from", { name: nameOf(row.previousStaffId) })}</span>}
          {row.outcome === "proposed" && <span class="soft">{clarity(row.score)}</span>}
        </p>
        <p class="small">
          {row.reasons.length ? <Reasons reasons={row.reasons} /> : <span class="soft"><bdi>{row.reasoning}</bdi></span>}
        </p>
      </div>
      {row.outcome === "proposed" ? (
        <div class="row">
          <button class="button small" data-testid="row-approve" disabled={off} onClick={() => decide("approve", [row.taskId])}>
            <Picture name="tick" />
            {t("plan.approve")}
          </button>
          <button class="button small quiet" data-testid="row-reject" disabled={off} onClick={() => decide("reject", [row.taskId])}>
            {t("plan.reject")}
          </button>
        </div>
      ) : (
        <span class="chip">
          {word("rowOutcome", row.outcome)}
          {because && `: ${word("because", because)}`}
        </span>
      )}
    </li>
  );
}

/** How clear the choice is, in words: a figure would only look exact. */
function clarity(score: number): string {
  if (score >= 0.66) return t("plan.clear");
  return score >= 0.33 ? t("plan.likely") : t("plan.close");
}
