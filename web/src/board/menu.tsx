// All that can be done with a tile, or with several. What needs a reason asks for it in the same place.
import { useEffect, useState } from "preact/hooks";
import { type BoardRoom, PRIORITIES, type Priority, ROOM_STATUSES, type RoomStatus, type Task } from "../api/types";
import { t, tn, word } from "../i18n";
import { dayTime } from "../i18n/dates";
import { instantOf } from "../i18n/days";
import type { Shown } from "../live/overlay";
import { nameOf } from "../live/people";
import { DateField } from "../ui/date-field";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Status } from "../ui/status";
import { announce } from "../ui/toast";
import * as actions from "./actions";
import { type Cleaning, cleaningOf } from "./cleaning";
import { GiveTo } from "./give-to";
import { NewTask } from "./new-task";

type Step = "menu" | "fail" | "waive" | "cancel" | "status" | "block" | "new";
const BLOCKS = ["oos", "maintenance", "cleaning", "inspection"] as const;

interface Props {
  board: Shown;
  room: BoardRoom;
  task: Task | undefined;
  mayAct: boolean;
  onClose: () => void;
}

/** The cleaning that an inspection would be about: the room knows it, the board does not. */
function useInspectable(room: BoardRoom): Cleaning | undefined {
  const [found, setFound] = useState<Cleaning>();
  useEffect(() => {
    if (room.status !== "cleaned") return;
    let gone = false;
    void cleaningOf(room).then((one) => !gone && setFound(one), () => undefined);
    return () => {
      gone = true;
    };
  }, [room.roomId, room.version, room.status]);
  return found;
}

export function TileMenu({ board, room, task, mayAct, onClose }: Props) {
  const [step, setStep] = useState<Step>("menu");
  const inspectable = useInspectable(room);
  const number = room.number ?? "";
  const finish = (work: Promise<void>, said: string) => {
    void work;
    announce(said);
    onClose();
  };
  const title = (
    <>
      <bdi>{number}</bdi> · {task ? word("kind", task.kind) : word("roomStatus", room.status)}
    </>
  );
  if (step === "new") return <NewTask board={board} room={room} onClose={onClose} />;
  if (step !== "menu") {
    return (
      <ReasonStep
        step={step}
        number={number}
        onClose={onClose}
        onBack={() => setStep("menu")}
        onConfirm={({ reason, status, blockReason, until }) => {
          if (step === "cancel" && task) finish(actions.cancelTask(task, number, reason), t("said.cancelled", { room: number }));
          else if (step === "fail" && inspectable) finish(actions.inspect(inspectable, room, "fail", reason), t("said.failed", { room: number }));
          else if (step === "waive" && inspectable) finish(actions.inspect(inspectable, room, "waived", reason), t("said.waived", { room: number }));
          else if (step === "status") finish(actions.setStatus(room, status, reason), t("said.status", { room: number, status: word("roomStatus", status) }));
          else if (step === "block") finish(actions.block(room, blockReason, until, reason), t("said.blocked", { room: number }));
        }}
      />
    );
  }
  return (
    <Dialog title={title} onClose={onClose} testid="tile-menu">
      <p class="row">
        <Status status={room.status} />
        {room.occupancy === "occupied" && <span class="chip">{word("occupancy", "occupied")}</span>}
        {room.nextArrivalAt && <span class="chip">{t("board.arrivalAt", { time: dayTime(room.nextArrivalAt) })}</span>}
        {task?.assigneeStaffId && (
          <span class="chip">
            <Picture name="my" />
            <bdi>{nameOf(task.assigneeStaffId)}</bdi>
          </span>
        )}
        <a class="button quiet small" href={`/rooms/${room.roomId}`} onClick={onClose}>
          {t("board.history")}
        </a>
      </p>
      {task?.note && (
        <p class="notice">
          <bdi>{task.note}</bdi>
        </p>
      )}
      {mayAct && room.status === "cleaned" && (
        <div class="row">
          <button class="button primary" data-testid="inspect-pass" disabled={!inspectable} onClick={() => inspectable && finish(actions.inspect(inspectable, room, "pass"), t("said.passed", { room: number }))}>
            <Picture name="tick" />
            {t("board.pass")}
          </button>
          <button class="button" data-testid="inspect-fail" disabled={!inspectable} onClick={() => setStep("fail")}>
            {t("board.fail")}
          </button>
          <button class="button quiet" data-testid="inspect-waive" disabled={!inspectable} onClick={() => setStep("waive")}>
            {t("board.waive")}
          </button>
        </div>
      )}
      {mayAct && task && (
        <GiveTo
          board={board}
          taskIds={[task.taskId]}
          focusFirst
          onGive={(staffId) => finish(actions.give(task, number, staffId), t("said.given", { room: number, name: nameOf(staffId) }))}
        />
      )}
      {mayAct && task && (
        <div class="stack">
          <span class="label">{t("board.priority")}</span>
          <div class="row">
            {PRIORITIES.map((one: Priority) => (
              <button
                key={one}
                class="button small"
                data-testid="priority"
                data-priority={one}
                aria-pressed={task.priority === one}
                onClick={() => finish(actions.setPriority(task, number, one), t("said.priority", { room: number, priority: word("priority", one) }))}
              >
                {one === "urgent" && <Picture name="chevrons" />}
                {word("priority", one)}
              </button>
            ))}
          </div>
        </div>
      )}
      {mayAct && (
        <div class="row">
          <button class="button" data-testid="new-task" onClick={() => setStep("new")}>
            <Picture name="plus" />
            {t("board.newTask")}
          </button>
          <WithReason hasWork={task !== undefined} setStep={setStep} />
        </div>
      )}
      {room.blocks.map((one) => (
        <p class="notice warn" key={one.id}>
          <Picture name="lock" />
          <span class="grow">
            {word("block", one.reason)}
            {one.blockedUntil && ` · ${t("board.until", { time: dayTime(one.blockedUntil) })}`}
            {one.note && (
              <>
                {" · "}
                <bdi>{one.note}</bdi>
              </>
            )}
          </span>
          {mayAct && one.owner === "housekeeping" && (
            <button class="button small" data-testid="clear-block" onClick={() => finish(actions.clearBlock(room, one.id), t("said.unblocked", { room: number }))}>
              {t("board.clearBlock")}
            </button>
          )}
        </p>
      ))}
    </Dialog>
  );
}

interface Answer {
  reason: string;
  status: RoomStatus;
  blockReason: string;
  until: string | undefined;
}

function ReasonStep(props: { step: Exclude<Step, "menu" | "new">; number: string; onClose: () => void; onBack: () => void; onConfirm: (answer: Answer) => void }) {
  const { step, number, onClose, onBack, onConfirm } = props;
  const [reason, setReason] = useState("");
  const [status, setStatus] = useState<RoomStatus>("dirty");
  const [blockReason, setBlockReason] = useState<string>(BLOCKS[0]);
  const [until, setUntil] = useState("");
  const needed = step === "fail" || step === "waive" || step === "cancel";
  const confirm = () => onConfirm({ reason: reason.trim(), status, blockReason, until: until ? instantOf(until).toISOString() : undefined });
  return (
    <Dialog
      title={
        <>
          {word("board.step", step)} · <bdi>{number}</bdi>
        </>
      }
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onBack}>
            {t("action.back")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={needed && !reason.trim()} onClick={confirm}>
            {t("action.confirm")}
          </button>
        </>
      }
    >
      {step === "status" && (
        <div class="choices" role="radiogroup" aria-label={t("board.setStatus")}>
          {ROOM_STATUSES.map((one) => (
            <button key={one} type="button" role="radio" class="button" data-testid="status-choice" data-status={one} aria-checked={status === one} aria-pressed={undefined} aria-current={status === one ? "true" : undefined} onClick={() => setStatus(one)}>
              <Status status={one} />
            </button>
          ))}
        </div>
      )}
      {step === "block" && (
        <>
          <div class="choices" role="radiogroup" aria-label={t("board.block")}>
            {BLOCKS.map((one) => (
              <button key={one} type="button" role="radio" class="button" data-testid="block-reason" data-reason={one} aria-checked={blockReason === one} aria-current={blockReason === one ? "true" : undefined} onClick={() => setBlockReason(one)}>
                {word("block", one)}
              </button>
            ))}
          </div>
          <label class="field">
            <span>{t("board.blockUntil")}</span>
            <DateField timed optional label={t("board.blockUntil")} testid="block-until" value={until} onValue={setUntil} />
          </label>
        </>
      )}
      <label class="field">
        <span>{needed ? t("board.reason") : t("board.note")}</span>
        <textarea class="input" rows={3} dir="auto" maxLength={500} data-testid="reason" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
    </Dialog>
  );
}

/** What is done to a room, or to several, with a reason. */
function WithReason({ hasWork, setStep }: { hasWork: boolean; setStep: (step: Step) => void }) {
  return (
    <>
      <button class="button" data-testid="set-status" onClick={() => setStep("status")}>
        {t("board.setStatus")}
      </button>
      <button class="button" data-testid="block" onClick={() => setStep("block")}>
        {t("board.block")}
      </button>
      {hasWork && (
        <button class="button danger" data-testid="cancel-task" onClick={() => setStep("cancel")}>
          {t("board.cancelTask")}
        </button>
      )}
    </>
  );
}

/** Several tiles at once: work, or rooms that nobody has work in. */
export function SeveralMenu({ board, keys, onClose, onDone }: { board: Shown; keys: string[]; onClose: () => void; onDone: () => void }) {
  const [step, setStep] = useState<Step>("menu");
  const tasks = board.tasks.filter((one) => keys.includes(one.taskId));
  const rooms = board.rooms.filter((room) => keys.includes(room.roomId) || tasks.some((task) => task.roomId === room.roomId));
  const cleaned = rooms.filter((room) => room.status === "cleaned");
  const blocks = rooms.flatMap((room) => room.blocks.filter((one) => one.owner === "housekeeping").map((one) => ({ room, blockId: one.id })));
  const numberOf = (task: Task) => board.rooms.find((room) => room.roomId === task.roomId)?.number ?? "";
  const title = tasks.length === rooms.length ? tn("board.tasks", tasks.length) : tn("board.rooms", rooms.length);
  if (step === "new") return <NewTask board={board} several={rooms} onClose={onClose} onDone={onDone} />;
  if (step !== "menu") {
    // What is said about an inspection is said of those rooms alone that wait for one.
    const meant = step === "fail" || step === "waive" ? cleaned : rooms;
    return (
      <ReasonStep
        step={step}
        number={meant.map((room) => room.number).join(", ")}
        onClose={onClose}
        onBack={() => setStep("menu")}
        onConfirm={({ reason, status, blockReason, until }) => {
          if (step === "cancel") for (const task of tasks) void actions.cancelTask(task, numberOf(task), reason);
          if (step === "fail") for (const room of cleaned) void actions.inspectRoom(room, "fail", reason);
          if (step === "waive") for (const room of cleaned) void actions.inspectRoom(room, "waived", reason);
          if (step === "status") for (const room of rooms) void actions.setStatus(room, status, reason);
          if (step === "block") for (const room of rooms) void actions.block(room, blockReason, until, reason);
          onDone();
        }}
      />
    );
  }
  return (
    <Dialog title={title} onClose={onClose} testid="several-menu">
      <p class="soft">
        <bdi>{rooms.map((room) => room.number).join(", ")}</bdi>
      </p>
      {cleaned.length > 0 && (
        <div class="row">
          <button
            class="button primary"
            data-testid="inspect-pass"
            data-count={String(cleaned.length)}
            onClick={() => {
              for (const room of cleaned) void actions.passRoom(room);
              onDone();
            }}
          >
            <Picture name="tick" />
            {tn("board.passRooms", cleaned.length)}
          </button>
          <button class="button" data-testid="inspect-fail" onClick={() => setStep("fail")}>
            {t("board.fail")}
          </button>
          <button class="button quiet" data-testid="inspect-waive" onClick={() => setStep("waive")}>
            {t("board.waive")}
          </button>
        </div>
      )}
      {tasks.length > 0 && (
        <>
          <GiveTo
            board={board}
            taskIds={tasks.map((task) => task.taskId)}
            focusFirst
            onGive={(staffId) => {
              for (const task of tasks) if (task.assigneeStaffId !== staffId) void actions.give(task, numberOf(task), staffId);
              announce(tn("said.givenSeveral", tasks.length, { name: nameOf(staffId) }));
              onDone();
            }}
          />
          <div class="stack">
            <span class="label">{t("board.priority")}</span>
            <div class="row">
              {PRIORITIES.map((one) => (
                <button
                  key={one}
                  class="button small"
                  data-testid="priority"
                  data-priority={one}
                  onClick={() => {
                    for (const task of tasks) void actions.setPriority(task, numberOf(task), one);
                    onDone();
                  }}
                >
                  {word("priority", one)}
                </button>
              ))}
            </div>
          </div>
        </>
      )}
      <div class="row">
        <button class="button" data-testid="new-task" onClick={() => setStep("new")}>
          <Picture name="plus" />
          {t("board.newTask")}
        </button>
        <WithReason hasWork={tasks.length > 0} setStep={setStep} />
        {blocks.length > 0 && (
          <button
            class="button"
            data-testid="clear-block"
            data-count={String(blocks.length)}
            onClick={() => {
              for (const { room, blockId } of blocks) void actions.clearBlock(room, blockId);
              announce(t("said.unblocked", { room: [...new Set(blocks.map(({ room }) => room.number))].join(", ") }));
              onDone();
            }}
          >
            <Picture name="lock" />
            {tn("board.clearBlocks", blocks.length)}
          </button>
        )}
      </div>
    </Dialog>
  );
}
