// Work that no event brought: a room, a kind, how urgent, and a word about it.
import { useState } from "preact/hooks";
import { type BoardRoom, PRIORITIES, type Priority, TASK_KINDS, type TaskKind } from "../api/types";
import { t, word } from "../i18n";
import type { Shown } from "../live/overlay";
import { Dialog } from "../ui/dialog";
import { announce } from "../ui/toast";
import { newTask } from "./actions";
import { byNumber } from "./order";

export function NewTask({ board, room, onClose }: { board: Shown; room?: BoardRoom | undefined; onClose: () => void }) {
  const rooms = [...board.rooms].sort(byNumber);
  const [roomId, setRoomId] = useState(room?.roomId ?? rooms[0]?.roomId ?? "");
  const [kind, setKind] = useState<TaskKind>("turnover");
  const [priority, setPriority] = useState<Priority>("normal");
  const [note, setNote] = useState("");
  const chosen = rooms.find((one) => one.roomId === roomId);
  const send = () => {
    if (!chosen) return;
    void newTask(chosen, kind, priority, note.trim());
    announce(t("said.created", { room: chosen.number ?? "" }));
    onClose();
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
          <button class="button primary" data-testid="confirm" disabled={!chosen} onClick={send}>
            {t("board.newTask")}
          </button>
        </>
      }
    >
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
