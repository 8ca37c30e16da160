// One room: what it is, what is ticked, and one large button where the thumb is.
import { useRef, useState } from "preact/hooks";
import type { BoardRoom, Task } from "../api/types";
import { dayTime, duration, clockTime } from "../i18n/dates";
import { digitsOf } from "../i18n/digits";
import { t, tn, useLanguage, word } from "../i18n";
import { Picture, hasPicture } from "../ui/pictures";
import { Failed, Loading } from "../ui/states";
import { announce, toast } from "../ui/toast";
import * as actions from "./actions";
import { labelOf, useChecklist } from "./checklist";
import { type Draft, forgetDraft, useDraft } from "./draft";
import { lazy } from "../ui/lazy";
import { afterPainted } from "../app/idle";
import "./pictures";

/** The questions behind a button: fetched while nobody taps, so that they are there without a net. */
const PauseDialog = lazy(() => import("./choices").then((module) => module.PauseDialog));
const FailDialog = lazy(() => import("./choices").then((module) => module.FailDialog));
const ReportDialog = lazy(() => import("./report").then((module) => module.ReportDialog));
const FoundDialog = lazy(() => import("./report").then((module) => module.FoundDialog));
afterPainted(() => {
  for (const part of [PauseDialog, FailDialog, ReportDialog, FoundDialog]) part.preload();
});

type Asking = "pause" | "fail" | "report" | "found";

export function TaskPanel({ task, room, pending, onDone }: { task: Task; room: BoardRoom | undefined; pending: boolean; onDone?: () => void }) {
  const language = useLanguage();
  const [asking, setAsking] = useState<Asking>();
  const [draft, change] = useDraft(task.taskId);
  const { list, failed, retry } = useChecklist(task.checklistId);
  const rows = useRef<HTMLDivElement>(null);
  const orderBox = useRef<HTMLElement>(null);
  const working = task.status === "in_progress";
  // What stands below the list comes with it.
  const isWhole = !working || Boolean(list ?? failed);
  const open = working || task.status === "paused" || task.status === "assigned";
  const missing = list?.items.filter((item) => item.required && !draft.checked[item.key]) ?? [];

  const done = () => {
    // Nobody knows yet what is to be ticked: there it says why, and asks again.
    if (!list) return rows.current?.scrollIntoView();
    if (missing.length) {
      const first = rows.current?.querySelector<HTMLElement>(`[data-key="${missing[0]?.key}"]`);
      first?.scrollIntoView({ block: "center" });
      first?.focus();
      toast(tn("my.missing", missing.length));
      return;
    }
    if (!draft.order) {
      orderBox.current?.scrollIntoView({ block: "center" });
      orderBox.current?.querySelector("button")?.focus();
      toast(t("my.sayOrder"));
      return;
    }
    const checklistResults = list.items.map((item) => ({ itemKey: item.key, checked: Boolean(draft.checked[item.key]) }));
    const linen = draft.issued || draft.returned ? { linen: { issued: draft.issued, returned: draft.returned } } : {};
    // The ticks go when what they became is safe, and not before.
    void actions.complete(task, room, { checklistResults, ...linen, noMaintenanceFound: draft.order === "in-order" }).then((kept) => void (kept && forgetDraft(task.taskId)));
    announce(t("my.finished", { room: room?.number ?? "" }));
    onDone?.();
  };

  return (
    <section
      class={`panel ${pending ? "is-pending" : ""}`}
      data-testid="my-task"
      data-task-id={task.taskId}
      data-room={room?.number ?? ""}
      data-status={task.status}
      data-pending={String(pending)}
    >
      <Head task={task} room={room} pending={pending} />
      {task.note && (
        <p class="notice">
          <bdi>{task.note}</bdi>
        </p>
      )}
      {working && (
        <>
          <div ref={rows} class="checks">
            {Boolean(failed) && !list && <Failed error={failed} retry={retry} />}
            {!list && !failed && <Loading count={8} />}
            {list?.items.map((item) => {
              const checked = Boolean(draft.checked[item.key]);
              return (
                <button
                  key={item.key}
                  class="check"
                  role="checkbox"
                  aria-checked={checked}
                  data-testid="check"
                  data-key={item.key}
                  data-required={String(item.required)}
                  data-checked={String(checked)}
                  onClick={() => change((now) => ({ ...now, checked: { ...now.checked, [item.key]: !checked } }))}
                >
                  <Picture name={hasPicture(item.key) ? item.key : "check"} />
                  <span class="grow">
                    {labelOf(item.labelI18n as Record<string, unknown>, language)}
                    {!item.required && <span class="soft small"> {t("my.optional")}</span>}
                  </span>
                  <span class="tick">{checked && <Picture name="tick" />}</span>
                </button>
              );
            })}
          </div>
          {isWhole && <Linen draft={draft} change={change} />}
          {isWhole && <section ref={orderBox} class="in-order" aria-label={t("my.order")}>
            <button class={`answer ${draft.order === "in-order" ? "is-chosen" : ""}`} data-testid="all-in-order" aria-pressed={draft.order === "in-order"} onClick={() => change((now) => ({ ...now, order: "in-order" }))}>
              <Picture name="tick" />
              {t("my.allInOrder")}
            </button>
            <button class={`answer ${draft.order === "reported" ? "is-chosen" : ""}`} data-testid="report" aria-pressed={draft.order === "reported"} onClick={() => setAsking("report")}>
              <Picture name="repair_check" />
              {draft.order === "reported" ? t("my.reported") : t("my.report")}
            </button>
          </section>}
        </>
      )}
      {isWhole && open && room && (
        <div class="beside">
          <button class="aside" data-testid="seen-vacant" onClick={() => void actions.seen(room, "vacant", t("my.noted"))}>
            <Picture name="vacant" />
            {t("my.seenVacant")}
          </button>
          <button class="aside" data-testid="seen-occupied" onClick={() => void actions.seen(room, "occupied", t("my.noted"))}>
            <Picture name="occupied" />
            {t("my.seenOccupied")}
          </button>
          <button class="aside" data-testid="found-something" onClick={() => setAsking("found")}>
            <Picture name="lost" />
            {t("my.found")}
          </button>
          <button class="aside" data-testid="task-help" onClick={() => void actions.help(task, room, t("my.helpAsked"))}>
            <Picture name="hand" />
            {t("my.help")}
          </button>
          <button class="aside" data-testid="task-fail" onClick={() => setAsking("fail")}>
            <Picture name="fail" />
            {t("my.fail")}
          </button>
        </div>
      )}
      {open && (
        <div class="thumb">
          {working && (
            <>
              <button class="thumb-side" data-testid="task-pause" onClick={() => setAsking("pause")}>
                <Picture name="pause" />
                <span>{t("verb.pause")}</span>
              </button>
              <button class="thumb-main" data-testid="task-done" data-missing={String(missing.length)} onClick={done}>
                <Picture name="done" />
                <span>{t("verb.complete")}</span>
                {missing.length > 0 && <span class="thumb-count">{digitsOf(missing.length, language)}</span>}
              </button>
            </>
          )}
          {task.status === "assigned" && (
            <button class="thumb-main" data-testid="task-start" onClick={() => void actions.start(task, room)}>
              <Picture name="start" />
              <span>{t("verb.start")}</span>
              <bdi>{room?.number}</bdi>
            </button>
          )}
          {task.status === "paused" && (
            <button class="thumb-main" data-testid="task-resume" onClick={() => void actions.resume(task, room)}>
              <Picture name="start" />
              <span>{t("verb.resume")}</span>
              <bdi>{room?.number}</bdi>
            </button>
          )}
        </div>
      )}
      {asking === "pause" && (
        <PauseDialog
          onClose={() => setAsking(undefined)}
          onChoose={(reason) => {
            void actions.pause(task, room, reason);
            setAsking(undefined);
          }}
        />
      )}
      {asking === "fail" && (
        <FailDialog
          onClose={() => setAsking(undefined)}
          onChoose={(reason) => {
            void actions.fail(task, room, reason);
            setAsking(undefined);
            onDone?.();
          }}
        />
      )}
      {asking === "report" && (
        <ReportDialog
          task={task}
          room={room}
          onClose={() => setAsking(undefined)}
          onSent={(severity) => {
            setAsking(undefined);
            change((now) => ({ ...now, order: "reported" }));
            if (severity === "blocking") onDone?.();
          }}
        />
      )}
      {asking === "found" && room && <FoundDialog room={room} onClose={() => setAsking(undefined)} />}
    </section>
  );
}

function Head({ task, room, pending }: { task: Task; room: BoardRoom | undefined; pending: boolean }) {
  return (
    <>
      <header class="panel-head">
        <h1 class="panel-number">
          <bdi>{room?.number ?? "…"}</bdi>
        </h1>
        <p class="panel-kind grow">
          {task.priority === "urgent" && (
            <span class="sign chevrons">
              <Picture name="chevrons" />
              <span class="sr">{word("priority", "urgent")}</span>
            </span>
          )}
          <Picture name={task.kind} />
          {word("kind", task.kind)}
        </p>
      </header>
      <div>
        <p class="soft">
          {word("taskStatus", task.status)} · {duration(task.estimatedMinutes)}
          {task.status === "in_progress" && task.startedAt && ` · ${t("my.since", { time: clockTime(task.startedAt) })}`}
          {task.status === "paused" && task.pauseReason && ` · ${word("pauseReason", task.pauseReason)}`}
        </p>
        <p class="row small">
          {room?.occupancy === "occupied" && (
            <span class="chip">
              <Picture name="occupied" />
              {word("occupancy", "occupied")}
            </span>
          )}
          {room?.nextArrivalAt && (
            <span class="chip">
              <Picture name="arrival" />
              {dayTime(room.nextArrivalAt)}
            </span>
          )}
          {pending && (
            <span class="chip waiting">
              <Picture name="clock" />
              {t("my.saved")}
            </span>
          )}
        </p>
      </div>
    </>
  );
}

function Linen({ draft, change }: { draft: Draft; change: (to: (now: Draft) => Draft) => void }) {
  const language = useLanguage();
  return (
    <section class="linen-counts" aria-label={t("nav.linen")}>
      {(["issued", "returned"] as const).map((which) => (
        <div class="counter" key={which}>
          <span class="grow">
            <Picture name={which === "issued" ? "linen" : which} /> {word("my.linen", which)}
          </span>
          <button data-testid={`linen-${which}-minus`} aria-label={t("my.less", { what: word("my.linen", which) })} disabled={draft[which] === 0} onClick={() => change((now) => ({ ...now, [which]: Math.max(0, now[which] - 1) }))}>
            <Picture name="minus" />
          </button>
          <output data-testid={`linen-${which}-count`} data-count={String(draft[which])}>
            {digitsOf(draft[which], language)}
          </output>
          <button data-testid={`linen-${which}-plus`} aria-label={t("my.more", { what: word("my.linen", which) })} onClick={() => change((now) => ({ ...now, [which]: Math.min(200, now[which] + 1) }))}>
            <Picture name="plus" />
          </button>
        </div>
      ))}
    </section>
  );
}
