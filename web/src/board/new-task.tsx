// Work that no event brought: a room, a kind, how urgent, and a word about it.
import { useState } from "preact/hooks";
import { type BoardRoom, PRIORITIES, type Priority, TASK_KINDS, type TaskKind } from "../api/types";
import { t, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { Dialog } from "../ui/dialog";
import { announce } from "../ui/toast";
import { newTask } from "./actions";
import { byNumber } from "./order";

interface Props {
  board: Shown;
  room?: BoardRoom | undefined;
  /** The same work in each of these; then no room is asked for. */
  several?: BoardRoom[];
  onClose: () => void;
  onDone?: () => void;
}

export function NewTask({ board, room, several, onClose, onDone = onClose }: Props) {
  const rooms = [...board.rooms].sort(byNumber);
  const [roomId, setRoomId] = useState(room?.roomId ?? rooms[0]?.roomId ?? "");
  const [kind, setKind] = useState<TaskKind>("turnover");
  const [priority, setPriority] = useState<Priority>("normal");
  const [note, setNote] = useState("");
  const chosen = several ?? rooms.filter((one) => one.roomId === roomId);
  const numbers = chosen.map((one) => one.number).join(", ");
  const send = () => {
    for (const one of chosen) void newTask(one, kind, priority, note.trim());
    announce(t("said.created", { room: numbers }));
    onDone();
  };
  return (
    <Dialog
      title={t("board.newTask")}
      onClose={onClose}
      testid="new-task-dialog"
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={!chosen.length} onClick={send}>
            {t("board.newTask")}
          </button>
        </>
      }
    >
      {several ? (
        <p class="soft">
          <bdi>{numbers}</bdi>
        </p>
      ) : (
        <label class="field">
          <span>{t("board.column.room")}</span>
          <select class="input" data-testid="task-room" value={roomId} onChange={(event) => setRoomId(event.currentTarget.value)}>
            {rooms.map((one) => (
              <option key={one.roomId} value={one.roomId}>
                {one.number}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{t("board.column.work")}</span>
        <select class="input" data-testid="task-kind" value={kind} onChange={(event) => setKind(event.currentTarget.value as TaskKind)}>
          {TASK_KINDS.map((one) => (
            <option key={one} value={one}>
              {word("kind", one)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("board.priority")}</span>
        <select class="input" data-testid="task-priority" value={priority} onChange={(event) => setPriority(event.currentTarget.value as Priority)}>
          {PRIORITIES.map((one) => (
            <option key={one} value={one}>
              {word("priority", one)}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("board.note")}</span>
        <textarea class="input" rows={2} dir="auto" maxLength={500} data-testid="reason" value={note} onInput={(event) => setNote(event.currentTarget.value)} />
      </label>
    </Dialog>
  );
}
