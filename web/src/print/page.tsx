// The day's work on paper: A4, black and white, one sheet for each person, in their language, with both calendars.
import { useQuery } from "../api/query";
import { readJson } from "../api/client";
import type { Board, BoardStaff, Checklist, Task } from "../api/types";
import { useReady } from "../app/ready";
import { place } from "../app/router";
import { property } from "../app/session";
import { useStore } from "../app/store";
import { type Language, dirOf, known, pluralOf, t, useLanguage } from "../i18n";
import { clockTime, isoDay, longDate, shortDate, weekdayName } from "../i18n/dates";
import { range } from "../i18n/days";
import { digitsOf } from "../i18n/digits";
import { type Work, asPlanned } from "../board/order";
import { useBoard } from "../live/board";
import { boardPath } from "../live/early";
import { useNames } from "../live/people";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import { type Words, say, useAllWords } from "./words";
import "../ui/pictures-office";
import "./print.css";

const OPEN: Task["status"][] = ["in_progress", "paused", "assigned"];

/** Whoever helps goes to the room too. */
export const isWorkOf = (task: Pick<Task, "status" | "assigneeStaffId" | "helperStaffIds">, staffId: string): boolean => OPEN.includes(task.status) && (task.assigneeStaffId === staffId || Boolean(task.helperStaffIds?.includes(staffId)));

/** The order that each person's approved plan has. It is told with their own share of the board, as on their phone. */
async function ordersOf(house: string, people: string[]): Promise<Record<string, string[]>> {
  const own = async (staffId: string) => [staffId, (await readJson<Board>(boardPath(house, staffId))).plannedOrder ?? []] as const;
  return Object.fromEntries(await Promise.all(people.map(own)));
}

export default function PrintPage() {
  useLanguage();
  const staffId = useStore(place, (now) => now.params.staffId);
  const { board, error, retry } = useBoard();
  const name = useNames();
  const words = useAllWords();
  const lists = useQuery({ queryKey: ["checklists"], queryFn: () => readJson<{ items: Checklist[] }>("/housekeeping/v1/checklists") });
  const house = useStore(property);
  const people = (board?.staff ?? []).filter((person) => !staffId || person.staffId === staffId);
  const ids = people.map((person) => person.staffId);
  const orders = useQuery({ queryKey: ["orders", house, ...ids], enabled: Boolean(house) && ids.length > 0, queryFn: () => ordersOf(house, ids) });
  const painted = Boolean(board && words && (lists.data || lists.error) && (!ids.length || orders.data || orders.error));
  useReady(painted || Boolean(error));
  if (!board || !words || !painted) {
    return (
      <div class="print-page">
        <h1>{t("print.title")}</h1>
        <OfflineNote />
        {error && !board ? <Failed error={error} retry={retry} /> : <Loading count={10} />}
      </div>
    );
  }
  const busy = people.filter((person) => staffId || board.tasks.some((task) => isWorkOf(task, person.staffId)));
  return (
    <div class="print-page">
      <header class="page-head no-print">
        <h1>{t("print.title")}</h1>
        <button class="button primary" data-testid="print-now" onClick={() => print()}>
          <Picture name="print" />
          {t("print.now")}
        </button>
      </header>
      <OfflineNote />
      {!busy.length && (
        <Empty title={t("print.empty")} picture="print">
          <a class="button" href="/board">
            {t("print.emptyNext")}
          </a>
        </Empty>
      )}
      {busy.map((person) => (
        <Sheet key={person.staffId} person={person} name={name(person.staffId)} board={board} order={orders.data?.[person.staffId]} lists={lists.data?.items ?? []} words={words} />
      ))}
    </div>
  );
}

interface SheetProps {
  person: BoardStaff;
  name: string;
  board: Board;
  order: string[] | undefined;
  lists: Checklist[];
  words: Words;
}

function Sheet({ person, name, board, order, lists, words }: SheetProps) {
  const lang: Language = person.languages.map(known).find(Boolean) ?? "en";
  const rooms = new Map(board.rooms.map((room) => [room.roomId, room]));
  const work = board.tasks
    .filter((task) => isWorkOf(task, person.staffId))
    .map((task) => ({ task, room: rooms.get(task.roomId) }))
    .filter((one): one is Work => one.room !== undefined)
    .sort(asPlanned(order));
  const kinds = [...new Set(work.map((one) => one.task.kind))];
  const itemsOf = (kind: string) => lists.find((list) => list.kind === kind)?.items ?? [];
  const now = board.generatedAt;
  return (
    <article class="sheet" lang={lang} dir={dirOf(lang)} data-testid="sheet" data-staff-id={person.staffId}>
      <header>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <p>
          {weekdayName(now, lang)} · {longDate(now, lang, "solar")} · {longDate(now, lang, "gregorian")}
        </p>
        {person.shiftStartsAt && person.shiftEndsAt && (
          <p>
            {say(words, lang, "print.shift")} {range(clockTime(person.shiftStartsAt, lang), clockTime(person.shiftEndsAt, lang), lang)}
          </p>
        )}
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{say(words, lang, "print.order")}</th>
            <th scope="col">{say(words, lang, "print.room")}</th>
            <th scope="col">{say(words, lang, "print.kind")}</th>
            <th scope="col">{say(words, lang, "print.due")}</th>
            <th scope="col">{say(words, lang, "print.boxes")}</th>
          </tr>
        </thead>
        <tbody>
          {work.map(({ task, room }, index) => {
            const due = room.nextArrivalAt;
            return (
              <tr key={task.taskId} data-testid="sheet-row" data-room={room.number ?? ""}>
                <td>{digitsOf(index + 1, lang)}</td>
                <td class="sheet-number">
                  <bdi>{room.number}</bdi>
                  {task.priority === "urgent" && <span aria-label={say(words, lang, "priority.urgent")}> »</span>}
                </td>
                <td>
                  {say(words, lang, `kind.${task.kind}`)}
                  <small> {say(words, lang, `time.minutes.${pluralOf(task.estimatedMinutes, lang)}`, { count: task.estimatedMinutes })}</small>
                </td>
                <td>{due ? dueTime(due, now, lang) : ""}</td>
                <td class="boxes">
                  {itemsOf(task.kind).map((item, at) => (
                    <span key={item.key}>
                      <i /> {digitsOf(at + 1, lang)}
                    </span>
                  ))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {!work.length && <p>{say(words, lang, "print.nothing")}</p>}
      <footer>
        {kinds.map((kind) => (
          <p key={kind}>
            <b>{say(words, lang, `kind.${kind}`)}:</b>{" "}
            {itemsOf(kind).map((item, at) => (
              <span key={item.key}>
                {digitsOf(at + 1, lang)} <bdi>{labelOf(item.labelI18n, lang)}</bdi>
                {at + 1 < itemsOf(kind).length ? " · " : ""}
              </span>
            ))}
          </p>
        ))}
      </footer>
    </article>
  );
}

/** A guest of another day is not waited for today: the paper says which day. */
export const dueTime = (due: string, now: string, lang: Language): string =>
  isoDay(due) === isoDay(now) ? clockTime(due, lang) : `${shortDate(due, lang)} ${clockTime(due, lang)}`;

function labelOf(labels: Record<string, string>, lang: Language): string {
  const own = Object.entries(labels).find(([tag]) => known(tag) === lang);
  return own?.[1] ?? labels.en ?? Object.values(labels)[0] ?? "";
}
