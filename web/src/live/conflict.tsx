// What I wanted, what is, who did it and when; and the choice to leave it or do it anyway.
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/problem";
import { dayTime } from "../i18n/dates";
import { language, t, word } from "../i18n";
import type { Entry } from "../outbox";
import { again, drop } from "../outbox/deciding";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { titleOf } from "../ui/states";
import { announce, toast } from "../ui/toast";
import { nameOf, useNames } from "./people";
import { type Standing, standingOf } from "./standing";

export function Conflict({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  useNames();
  const [now, setNow] = useState<Standing>();
  const problem = entry.problem as Problem;
  useEffect(() => {
    announce(t("conflict.title"));
    standingOf(entry).then(setNow, () => setNow({}));
  }, []);
  const anyway = async () => {
    // Without the present version it would be refused again: it is looked for once more, and else nothing is sent.
    const version = now?.version ?? (entry.ifMatch ? (await standingOf(entry).catch(() => undefined))?.version : undefined);
    if (entry.ifMatch && version === undefined) return toast(t("conflict.notKnown"));
    const forced = problem.code === "STAFF_NOT_ON_SHIFT" ? { body: JSON.stringify({ ...JSON.parse(entry.body || "{}"), force: true }) } : {};
    void again(entry.seq, { ...forced, ...(entry.ifMatch ? { ifMatch: `"${version}"` } : {}) });
    onClose();
  };
  const leave = () => {
    void drop(entry.seq);
    onClose();
  };
  return (
    <Dialog
      title={t("conflict.title")}
      testid="conflict"
      data={{ code: problem.code }}
      onClose={onClose}
      foot={
        <>
          <button class="button" data-testid="conflict-leave" onClick={leave}>
            {t("conflict.leave")}
          </button>
          <button class="button primary" data-testid="conflict-anyway" disabled={!now} onClick={() => void anyway()}>
            {problem.code === "STAFF_NOT_ON_SHIFT" ? t("conflict.force") : t("conflict.anyway")}
          </button>
        </>
      }
    >
      <p>{titleOf(problem)}</p>
      <dl class="versus">
        <dt>{t("conflict.mine")}</dt>
        <dd data-testid="conflict-mine">
          {word("verb", entry.verb)} {entry.room && <bdi>{entry.room}</bdi>} · {dayTime(entry.at)}
          {entry.effect?.task?.assigneeStaffId && (
            <>
              {" "}
              <Picture name="next" />{" "}
              <bdi>{nameOf(entry.effect.task.assigneeStaffId)}</bdi>
            </>
          )}
        </dd>
        <dt>{t("conflict.theirs")}</dt>
        <dd data-testid="conflict-theirs">
          {now?.task && (
            <>
              {word("taskStatus", now.task.status)}
              {now.task.assigneeStaffId && (
                <>
                  {" · "}
                  <bdi>{nameOf(now.task.assigneeStaffId)}</bdi>
                </>
              )}
              {" · "}
              {word("priority", now.task.priority)}
            </>
          )}
          {now?.room && word("roomStatus", now.room.status)}
          {now && !now.task && !now.room && ((language() === "en" && problem.detail) || "–")}
        </dd>
        <dt>{t("conflict.who")}</dt>
        <dd data-testid="conflict-who">
          {now?.who ? (
            <>
              <bdi>{nameOf(now.who.id)}</bdi> · {word(now.task ? "event" : "cause", now.who.what)} · {dayTime(now.who.at)}
            </>
          ) : (
            "–"
          )}
        </dd>
      </dl>
      <p class="small soft">
        {t("state.errorCode", { code: problem.code })} {problem.traceId && <bdi>{problem.traceId}</bdi>}
      </p>
    </Dialog>
  );
}
