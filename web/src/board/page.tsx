// The house in one look: counts, alerts, a waiting plan, and the work by person, by floor or in rows.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardRoom, Task } from "../api/types";
import { useAfterPaint } from "../app/after-paint";
import { useReady } from "../app/ready";
import { place, setSearch, useSearch } from "../app/router";
import { can } from "../app/session";
import { useStore } from "../app/store";
import { longDate } from "../i18n/dates";
import { asTyped } from "../i18n/digits";
import { t, tn, useLanguage, word } from "../i18n";
import { useBoard } from "../live/board";
import type { Shown } from "../live/overlay";
import { nameOf } from "../live/people";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { announce, toast } from "../ui/toast";
import { give, passRoom } from "./actions";
import { Alerts } from "./alerts";
import { lookAhead } from "./cleaning";
import { useDay } from "./guests-due";
import { House } from "./house";
import { type Lane, taskOf, tasksIn } from "./lanes";
import { Summary } from "./summary";
import { selectionKey } from "./tile";
import { lazy } from "../ui/lazy";
import { memo } from "../ui/memo";
import { afterPainted } from "../app/idle";
import { FloorsView, type Hands, LanesView, ListView } from "./views";
import "../ui/pictures-office";
import "./board.css";

const VIEWS = ["lanes", "floors", "list"] as const;
/** A dialog that opens or a button that is pressed draws none of them again. */
const DRAWN = { lanes: memo(LanesView), floors: memo(FloorsView), list: memo(ListView) };
const Figures = memo(Summary);

/** What opens on a tap is fetched once the house is painted. */
const TileMenu = lazy(() => import("./menu").then((module) => module.TileMenu));
const SeveralMenu = lazy(() => import("./menu").then((module) => module.SeveralMenu));
const NewTask = lazy(() => import("./new-task").then((module) => module.NewTask));
const RoomDrawer = lazy(() => import("./room-drawer").then((module) => module.RoomDrawer));
afterPainted(() => {
  for (const part of [TileMenu, SeveralMenu, NewTask, RoomDrawer]) part.preload();
});

/** Nobody types letters of one word farther apart: the house is not drawn for each of them. */
const BETWEEN_LETTERS = 120;

/** So long after a dialog a tile that went to another lane takes the focus along; later somebody has gone on. */
const FOLLOWED_FOR = 3_000;

/** A tile that is given to somebody is drawn anew in their lane; the focus goes with it, for whoever works by keys. */
function useFocusOnMoved(board: Shown | undefined): (taskId: string | undefined) => void {
  const moved = useRef<{ taskId: string; at: number } | undefined>(undefined);
  useEffect(() => {
    const { taskId, at } = moved.current ?? { taskId: "", at: 0 };
    if (Date.now() - at > FOLLOWED_FOR || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>(`.tile[data-task-id="${CSS.escape(taskId)}"]`)?.focus();
  }, [board]);
  return (taskId) => (moved.current = taskId ? { taskId, at: Date.now() } : undefined);
}

export default function BoardPage() {
  useLanguage();
  const { board, error, retry } = useBoard();
  const search = useSearch();
  const isDrawer = useStore(place, (now) => now.page?.name === "room");
  const mayAct = can("supervisor", "property_manager");
  const view = VIEWS.find((one) => one === search.get("view")) ?? "lanes";
  const status = search.get("status");
  const text = search.get("q") ?? "";
  const [open, setOpen] = useState<{ roomId: string; taskId?: string | undefined }>();
  const [selecting, setSelecting] = useState(false);
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const [several, setSeveral] = useState<string[]>();
  const [adding, setAdding] = useState(false);
  useReady(Boolean(board) || Boolean(error));

  const look = useAfterPaint(useMemo(() => ({ view, status }), [view, status]));
  const words = useAfterPaint(text, BETWEEN_LETTERS);
  const fits = useMemo(() => {
    const wanted = asTyped(words);
    return (room: BoardRoom) => {
      if (look.status && room.status !== look.status) return false;
      if (!wanted) return true;
      const holder = board && tasksIn(board, room.roomId)[0]?.assigneeStaffId;
      return [room.number, room.section, room.roomType, room.roomType && word("roomType", room.roomType), holder && nameOf(holder)].some((one) => one && asTyped(one).includes(wanted));
    };
  }, [look.status, words, board]);

  const onOpen = useCallback((room: BoardRoom, task: Task | undefined) => setOpen({ roomId: room.roomId, taskId: task?.taskId }), []);
  const onSelect = useCallback((key: string) => {
    setSelecting(true);
    setSelected((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const picking = useRef(selecting);
  picking.current = selecting;
  const onPress = useCallback(
    (room: BoardRoom, task: Task | undefined, several: boolean) => (mayAct && (several || picking.current) ? onSelect(selectionKey(room, task)) : onOpen(room, task)),
    [mayAct],
  );
  const onPass = useCallback((room: BoardRoom) => {
    void passRoom(room).then((passed) => passed && announce(t("said.passed", { room: room.number ?? "" })));
  }, []);
  const day = useDay();
  const rooms = board?.rooms;
  useEffect(() => {
    if (rooms && mayAct) afterPainted(() => void lookAhead(rooms));
  }, [rooms, mayAct]);
  const returnTo = useFocusOnMoved(board);
  const hands = useMemo<Hands>(() => {
    const tasks = board?.tasks ?? [];
    return {
      mayAct,
      selected,
      onOpen,
      onPress,
      onSelect,
      onPass,
      onGive(taskId, staffId) {
        const ids = selected.has(taskId) ? [...selected] : [taskId];
        for (const task of tasks.filter((one) => ids.includes(one.taskId) && one.assigneeStaffId !== staffId)) {
          const number = board?.rooms.find((room) => room.roomId === task.roomId)?.number ?? "";
          void give(task, number, staffId);
          announce(t("said.given", { room: number, name: nameOf(staffId) }));
        }
        setSelected(new Set());
      },
      onHandOver: (lane: Lane) => setSeveral(lane.work.filter((one) => one.task.status === "assigned").map((one) => one.task.taskId)),
    };
  }, [mayAct, selected, board, onOpen, onPress, onSelect, onPass]);

  if (!board) {
    // Intl thinks longest about its first question: it is asked while the house is still on its way.
    longDate(Date.now());
    return (
      <div class="page">
        <h1>{t("nav.board")}</h1>
        <OfflineNote />
        {error ? <Failed error={error} retry={retry} /> : <Loading like="row-of" count={5} />}
      </div>
    );
  }

  const openRoom = open && board.rooms.find((room) => room.roomId === open.roomId);
  const openTask = openRoom && (board.tasks.find((task) => task.taskId === open?.taskId) ?? taskOf(board, openRoom));
  const nothing = !board.rooms.some(fits);
  const View = DRAWN[look.view];
  const longNumbers = board.rooms.some((room) => (room.number?.length ?? 0) > 3);
  return (
    <div class={`page board ${selecting ? "is-selecting" : ""} ${longNumbers ? "has-long-numbers" : ""}`}>
      <House board={board} day={day} />
      {/* Where there is no room there is nothing to look for, to print or to give. */}
      <header class="page-head" hidden={!board.rooms.length}>
        <div class="row toolbar">
          <label class="search">
            <Picture name="search" />
            <span class="sr">{t("board.filter")}</span>
            <input
              class="input"
              type="search"
              data-testid="filter-text"
              placeholder={t("board.filter")}
              value={text}
              onInput={(event) => setSearch({ q: event.currentTarget.value })}
            />
          </label>
          <div class="segments" role="group" aria-label={t("board.views")}>
            {VIEWS.map((one) => (
              <button key={one} class="button" data-testid={`view-${one}`} aria-pressed={view === one} onClick={() => setSearch({ view: one === "lanes" ? null : one })}>
                {word("board.view", one)}
              </button>
            ))}
          </div>
        </div>
        <div class="row">
          {mayAct && (
            <>
              <a class="button board-print" href="/print/all" data-testid="print-all">
                <Picture name="print" />
                {t("print.now")}
              </a>
              <button class="button" data-testid="add-task" onClick={() => setAdding(true)}>
                <Picture name="plus" />
                {t("board.newTask")}
              </button>
              <button
                class="button"
                data-testid="select"
                aria-pressed={selecting}
                onClick={() => {
                  setSelecting(!selecting);
                  setSelected(new Set());
                }}
              >
                {t("board.selectMany")}
              </button>
            </>
          )}
        </div>
      </header>
      <OfflineNote />
      {Boolean(error) && (
        <p class="notice bad" role="status">
          <span class="grow">{t("board.stale")}</span>
          <button class="button small" onClick={retry}>
            {t("state.retry")}
          </button>
        </p>
      )}
      {board.suggestion && board.suggestion.status === "pending" && board.suggestion.rows.length > 0 && mayAct && (
        <p class="notice good" data-testid="plan-waits">
          <Picture name="plan" />
          <span class="grow">{tn("board.planWaits", board.suggestion.rows.length)}</span>
          <a class="button small primary" href="/plan">
            {t("board.seePlan")}
          </a>
        </p>
      )}
      <Alerts board={board} onOpen={(roomId, taskId) => setOpen({ roomId, taskId })} />
      {board.rooms.length > 0 && <Figures board={board} status={status} due={day?.arrivals} />}
      {!board.rooms.length && (
        <Empty title={t("board.empty")}>
          <p>{t("board.emptyNext")}</p>
        </Empty>
      )}
      {board.rooms.length > 0 && nothing && (
        <Empty title={t("board.noneFit")} picture="search">
          <button class="button" onClick={() => setSearch({ q: null, status: null })}>
            {t("board.clearFilter")}
          </button>
        </Empty>
      )}
      {!nothing && <View board={board} filter={`${look.status ?? ""} ${words}`} fits={fits} hands={hands} />}
      {selected.size > 0 && (
        <div class="selection" role="region" aria-label={t("board.selectMany")}>
          <b>{tn("board.rooms", selected.size)}</b>
          <button class="button primary" data-testid="selection-actions" onClick={() => setSeveral([...selected])}>
            {t("board.actions")}
          </button>
          <button class="button quiet" onClick={() => setSelected(new Set())}>
            {t("action.cancel")}
          </button>
        </div>
      )}
      {openRoom && <TileMenu key={openRoom.roomId} board={board} room={openRoom} task={openTask} mayAct={mayAct} onClose={() => (returnTo(openTask?.taskId), setOpen(undefined))} />}
      {several && (
        <SeveralMenu
          board={board}
          keys={several}
          onClose={() => setSeveral(undefined)}
          onDone={() => {
            setSeveral(undefined);
            setSelected(new Set());
            toast(t("said.done"));
          }}
        />
      )}
      {adding && <NewTask board={board} onClose={() => setAdding(false)} />}
      {isDrawer && <RoomDrawer />}
    </div>
  );
}
