// What I wanted, what is, who did it and when; and the choice to leave it or do it anyway.
import { useEffect, useState } from "preact/hooks";
import { api, read, readJson } from "../api/client";
import type { Problem } from "../api/problem";
import type { Room, Task } from "../api/types";
import { dayTime } from "../i18n/dates";
import { t, word } from "../i18n";
import { type Entry, again, drop } from "../outbox";
import { Dialog } from "../ui/dialog";
import { titleOf } from "../ui/states";
import { announce } from "../ui/toast";
import { nameOf, useNames } from "./people";

interface Now {
  task?: Task | undefined;
  room?: Room | undefined;
  who?: { id: string; what: string; at: string } | undefined;
}

/** The state that stands against mine, and the last thing that somebody did to it. */
async function lookUp(entry: Entry): Promise<Now> {
  const { taskId, roomId } = entry.effect ?? {};
  if (taskId) {
    const path = { params: { path: { id: taskId } } };
    const task = await read<Task>(api.GET("/housekeeping/v1/tasks/{id}", path));
    type History = { items: { subject: string; at: string; actor: { id: string } }[] };
    const { items } = await readJson<History>(`/housekeeping/v1/tasks/${taskId}/history`);
    const last = items.at(-1);
    return { task, who: last && { id: last.actor.id, what: last.subject.split(".").at(-2) ?? "", at: last.at } };
  }
  if (roomId) {
    const room = await read<Room>(api.GET("/housekeeping/v1/rooms/{roomId}", { params: { path: { roomId } } }));
    return { room, who: { id: room.lastFlippedBy.id, what: room.lastCause, at: room.lastFlippedAt } };
  }
  return {};
}

export function Conflict({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  useNames();
  const [now, setNow] = useState<Now>();
  const problem = entry.problem as Problem;
  useEffect(() => {
    announce(t("conflict.title"));
    lookUp(entry).then(setNow, () => setNow({}));
  }, []);
  const version = now?.task?.version ?? now?.room?.version;
  const anyway = () => {
    const forced = problem.code === "STAFF_NOT_ON_SHIFT" ? { body: JSON.stringify({ ...JSON.parse(entry.body || "{}"), force: true }) } : {};
    void again(entry.seq, { ...forced, ...(entry.ifMatch && version ? { ifMatch: `"${version}"` } : {}) });
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
          <button class="button primary" data-testid="conflict-anyway" disabled={!now} onClick={anyway}>
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
              {" → "}
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
          {now && !now.task && !now.room && (problem.detail || "–")}
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
