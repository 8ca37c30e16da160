// What waits, what was refused and why, and what to do about it.
import { useState } from "preact/hooks";
import { useReady } from "../app/ready";
import { can, session } from "../app/session";
import { useStore } from "../app/store";
import { dayTime } from "../i18n/dates";
import { spoken, t, useLanguage, word } from "../i18n";
import { OPEN } from "../board/order";
import type { TaskStatus } from "../api/types";
import { type Entry, entries, isMine, pumpNow } from "../outbox";
import { keep } from "../outbox/keep";
import { again, drop } from "../outbox/deciding";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Empty, OfflineNote, titleOf } from "../ui/states";
import "./outbox.css";

export default function OutboxPage() {
  useLanguage();
  // Why something was refused is said in words that may come a moment later.
  useStore(spoken);
  const all = useStore(entries);
  useReady(true);
  const open = all.filter((one) => one.state !== "dropped");
  const dropped = all.filter((one) => one.state === "dropped");
  return (
    <div class="page outbox-page">
      <header class="page-head">
        <h1>{t("outbox.title")}</h1>
        {open.length > 0 && (
          <button class="button" onClick={() => void pumpNow()}>
            {t("outbox.tryNow")}
          </button>
        )}
      </header>
      <OfflineNote copies={false} />
      {!open.length && (
        <Empty title={t("outbox.empty")} picture="tick">
          <p>{t("outbox.emptyNext")}</p>
        </Empty>
      )}
      <ul class="stack">
        {open.map((entry) => (
          <Row key={entry.seq} entry={entry} behind={isBehind(entry, open)} />
        ))}
      </ul>
      {dropped.length > 0 && (
        <section class="stack">
          <h2>{t("outbox.dropped")}</h2>
          <ul class="stack">
            {dropped.map((entry) => (
              <Row key={entry.seq} entry={entry} behind={false} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Whether something refused stands before it in its lane. */
const isBehind = (entry: Entry, all: Entry[]): boolean =>
  all.some((other) => other.lane === entry.lane && other.staff === entry.staff && other.seq < entry.seq && other.state === "refused");

/** The task by which the supervisor is asked: it is open and one's own, and one is somebody who asks. By any other the question would be refused as well. */
function askedBy({ effect, problem, verb }: Entry): string | undefined {
  const { status, code, currentStatus } = problem ?? {};
  const isOver = status === 404 || (code === "TASK_ILLEGAL_TRANSITION" && !OPEN.has(currentStatus as TaskStatus));
  const asks = can("housekeeper", "supervisor", "property_manager") && verb !== "escalate";
  return asks && code !== "NOT_THE_ASSIGNEE" && !isOver ? effect?.taskId : undefined;
}

function Row({ entry, behind }: { entry: Entry; behind: boolean }) {
  const [dropping, setDropping] = useState(false);
  const [showing, setShowing] = useState(false);
  const mine = useStore(session, () => isMine(entry));
  const askForHelp = () => {
    const taskId = mine ? askedBy(entry) : undefined;
    if (!taskId) return setShowing(true);
    void keep({
      lane: `ask ${taskId}`,
      method: "POST",
      path: `/housekeeping/v1/tasks/${taskId}/escalate`,
      verb: "escalate",
      ...(entry.room ? { room: entry.room } : {}),
      body: { to: { role: "supervisor" }, reason: `${entry.verb} refused: ${entry.problem?.code ?? ""}` },
    }, t("outbox.asked"));
  };
  return (
    <li class={`card entry ${entry.state}`} data-testid="entry" data-verb={entry.verb} data-room={entry.room ?? ""} data-state={entry.state}>
      <Picture name={entry.state === "refused" ? "alert" : entry.state === "dropped" ? "close" : "clock"} />
      <div class="grow">
        <b>
          {word("verb", entry.verb)} {entry.room && <bdi>{entry.room}</bdi>}
        </b>
        <p class="small soft">
          {dayTime(entry.at)} · {word("outbox", entry.state)}
          {entry.seq < 0 && ` · ${t("outbox.onlyHere")}`}
          {behind && ` · ${t("outbox.behind")}`}
          {!mine && ` · ${t("outbox.ofOther")}`}
        </p>
        {entry.state === "refused" && entry.problem && (
          <p>
            {titleOf(entry.problem)} <span class="small soft">{t("state.errorCode", { code: entry.problem.code })}</span>
          </p>
        )}
      </div>
      <div class="row">
        {(entry.state === "refused" || entry.state === "dropped") && mine && (
          <button class="button" data-testid="entry-again" onClick={() => void again(entry.seq)}>
            {t("outbox.again")}
          </button>
        )}
        {entry.state === "refused" && (
          <button class="button" data-testid="entry-ask" onClick={askForHelp}>
            {t("outbox.ask")}
          </button>
        )}
        {/* What somebody else tapped waits for them: nobody here can know what they meant by it. */}
        {entry.state !== "dropped" && entry.state !== "sending" && mine && (
          <button class="button danger" data-testid="entry-drop" onClick={() => setDropping(true)}>
            {t("outbox.drop")}
          </button>
        )}
      </div>
      {dropping && (
        <Dialog
          title={t("outbox.drop")}
          onClose={() => setDropping(false)}
          foot={
            <>
              <button class="button" onClick={() => setDropping(false)}>
                {t("action.cancel")}
              </button>
              <button class="button danger" data-testid="confirm" onClick={() => void drop(entry.seq).then(() => setDropping(false))}>
                {t("outbox.drop")}
              </button>
            </>
          }
        >
          <p>
            {word("verb", entry.verb)} {entry.room && <bdi>{entry.room}</bdi>}: {t("outbox.dropSure")}
          </p>
        </Dialog>
      )}
      {showing && (
        <Dialog title={t("outbox.ask")} onClose={() => setShowing(false)}>
          <p>{t("outbox.askShow")}</p>
          <p>
            <b>
              {word("verb", entry.verb)} {entry.room && <bdi>{entry.room}</bdi>}
            </b>{" "}
            {entry.problem && titleOf(entry.problem)} <bdi>{entry.problem?.traceId}</bdi>
          </p>
        </Dialog>
      )}
    </li>
  );
}
