// A housekeeper's day: the current room on top, all others below in the order that is advised. Any of them may be started.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { BoardRoom, Task } from "../api/types";
import { useReady } from "../app/ready";
import { go, place } from "../app/router";
import { can, readsBoard, session } from "../app/session";
import { useStore } from "../app/store";
import { duration, dayTime, longDate, weekdayName } from "../i18n/dates";
import { t, tn, useLanguage, word } from "../i18n";
import { useBoard } from "../live/board";
import { shareOf } from "../live/early";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { StatusShape } from "../ui/status";
import { OPEN, asPlanned } from "../board/order";
import { fetchChecklist, useChecklist } from "./checklist";
import { Clock, clockOf, useClock } from "./clock";
import "./install";
import { lazy } from "../ui/lazy";
import { TaskPanel } from "./panel";
import "./my.css";

const ToInspect = lazy(() => import("./inspect").then((module) => module.ToInspect));
const InstallOffer = lazy(() => import("./install-offer").then((module) => module.InstallOffer), { whenPainted: true });
const OwnDay = lazy(() => import("./own-day").then((module) => module.OwnDay));
const Shifts = lazy(() => import("./shifts").then((module) => module.Shifts), { whenPainted: true });

/** Who works in the house and has no rooms (the craftsman, the manager) has a clock, shifts and leave all the same. */
export default function MyPage() {
  return readsBoard() ? <MyRooms /> : <OwnDay />;
}

function MyRooms() {
  useLanguage();
  const staffId = useStore(session, (now) => now.who?.staffId);
  const taskId = useStore(place, (now) => now.params.taskId);
  const supervises = can("supervisor", "property_manager");
  const { board, error, retry } = useBoard(shareOf());
  useReady(Boolean(board) || Boolean(error));

  const mine = useMemo(() => {
    if (!board || !staffId) return [];
    const rooms = new Map(board.rooms.map((room) => [room.roomId, room]));
    return board.tasks
      .filter((task) => task.assigneeStaffId === staffId || task.helperStaffIds?.includes(staffId))
      .map((task) => ({ task, room: rooms.get(task.roomId) }))
      .filter((one): one is { task: Task; room: BoardRoom } => one.room !== undefined);
  }, [board, staffId]);
  const open = mine.filter((one) => OPEN.has(one.task.status)).sort(asPlanned(board?.plannedOrder));
  const over = mine.filter((one) => !OPEN.has(one.task.status)).sort((a, b) => (a.task.updatedAt < b.task.updatedAt ? 1 : -1));

  // All lists of the day are fetched while there is a net.
  const lists = [...new Set(open.map((one) => one.task.checklistId))].join(" ");
  useEffect(() => {
    for (const id of lists.split(" ").filter(Boolean)) void fetchChecklist(id).catch(() => undefined);
  }, [lists]);

  if (!board) {
    return (
      <div class="page my">
        <OfflineNote />
        {error ? <Failed error={error} retry={retry} /> : <Loading count={6} />}
      </div>
    );
  }
  if (taskId) {
    const one = mine.find((it) => it.task.taskId === taskId);
    return (
      <div class="page my">
        <a class="button quiet back" href="/my" data-testid="back">
          <Picture name="back" />
          {t("nav.my")}
        </a>
        <OfflineNote />
        {one ? (
          <TaskPanel key={taskId} task={one.task} room={one.room} pending={board.pending.has(taskId)} onDone={() => go("/my")} />
        ) : (
          <Empty title={t("my.notMine")}>
            <p>{t("my.notMineNext")}</p>
          </Empty>
        )}
      </div>
    );
  }
  return <Day board={board} open={open} over={over} staffId={staffId} supervises={supervises} />;
}

type Mine = { task: Task; room: BoardRoom };

function Day({ board, open, over, staffId, supervises }: { board: NonNullable<ReturnType<typeof useBoard>["board"]>; open: Mine[]; over: Mine[]; staffId: string | undefined; supervises: boolean }) {
  const clock = useClock(clockOf(board.staff.find((one) => one.staffId === staffId)));
  const [current, ...others] = open;
  const minutes = open.reduce((sum, one) => sum + one.task.estimatedMinutes, 0);
  const isIn = clock.state !== "out";
  // The list of the room one is in may be long: what stands below it comes with it.
  const { list, failed } = useChecklist(current?.task.status === "in_progress" ? current.task.checklistId : undefined);
  const wasWhole = useRef(false);
  const isWhole = wasWhole.current || current?.task.status !== "in_progress" || Boolean(list ?? failed);
  wasWhole.current = isWhole;
  return (
    <div class="page my">
      {!current && <h1 class="sr">{t("nav.my")}</h1>}
      <header class="my-head">
        <p>
          <b>{weekdayName(Date.now())}</b> <span class="soft">{longDate(Date.now())}</span>
        </p>
        <p class="soft">
          {tn("board.rooms", open.length)} · {duration(minutes)}
        </p>
        {open.length + over.length > 0 && <Progress open={open} over={over} />}
      </header>
      <OfflineNote />
      {!isIn && staffId && <Clock {...clock} />}
      {!open.length && (
        <Empty title={over.length ? t("my.allDone") : t("my.nothing")} picture={over.length ? "tick" : "empty"}>
          <p>{t("my.nothingNext")}</p>
        </Empty>
      )}
      {current && <TaskPanel key={current.task.taskId} task={current.task} room={current.room} pending={board.pending.has(current.task.taskId)} />}
      {isWhole && others.length > 0 && (
        <section class="stack">
          <h2>{t("my.then")}</h2>
          <ul class="my-list">
            {others.map((one) => (
              <Row key={one.task.taskId} one={one} pending={board.pending.has(one.task.taskId)} />
            ))}
          </ul>
        </section>
      )}
      {isWhole && supervises && <ToInspect />}
      {isWhole && over.length > 0 && (
        <section class="stack">
          <h2>{t("my.over")}</h2>
          <ul class="my-list">
            {over.map((one) => (
              <Row key={one.task.taskId} one={one} pending={board.pending.has(one.task.taskId)} />
            ))}
          </ul>
        </section>
      )}
      {isWhole && isIn && staffId && <Clock {...clock} />}
      {isWhole && staffId && <Shifts />}
      {/* A browser offers it when it likes: last, where it pushes nothing away under the thumb. */}
      <InstallOffer />
    </div>
  );
}

/** The day as boxes, for those who read little: ticked, begun, to do. */
function Progress({ open, over }: { open: Mine[]; over: Mine[] }) {
  const begun = (one: Mine) => one.task.status === "in_progress" || one.task.status === "paused";
  return (
    <div class="my-progress" aria-hidden="true">
      {over.map((one) => (
        <i key={one.task.taskId} class="is-done">
          <Picture name="tick" />
        </i>
      ))}
      {open.map((one) => (
        <i key={one.task.taskId} class={begun(one) ? "is-begun" : ""} />
      ))}
    </div>
  );
}

function Row({ one: { task, room }, pending }: { one: Mine; pending: boolean }) {
  return (
    <li>
      <a
        class={`my-row ${pending ? "is-pending" : ""} ${OPEN.has(task.status) ? "" : "is-over"}`}
        href={`/my/${task.taskId}`}
        data-testid="my-task"
        data-task-id={task.taskId}
        data-room={room.number ?? ""}
        data-status={task.status}
        data-pending={String(pending)}
      >
        <StatusShape status={room.status} />
        <b class="my-number">
          <bdi>{room.number}</bdi>
        </b>
        <Picture name={task.kind} />
        <span class="grow">
          {word("kind", task.kind)}
          <span class="small soft my-under">
            {OPEN.has(task.status) ? `${word("roomStatus", room.status)} · ${duration(task.estimatedMinutes)}` : word("taskStatus", task.status)}
            {room.nextArrivalAt && OPEN.has(task.status) && ` · ${t("board.arrivalAt", { time: dayTime(room.nextArrivalAt) })}`}
          </span>
        </span>
        {task.priority === "urgent" && OPEN.has(task.status) && (
          <span class="sign chevrons">
            <Picture name="chevrons" />
            <span class="sr">{word("priority", "urgent")}</span>
          </span>
        )}
        {pending && <Picture name="clock" />}
        <Picture name={task.status === "completed" ? "tick" : "next"} />
      </a>
    </li>
  );
}
