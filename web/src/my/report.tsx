// Something is broken, or something was found: pictures first, words and photo if one likes.
import { useState } from "preact/hooks";
import type { BoardRoom, Task } from "../api/types";
import { t, word } from "../i18n";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { toast } from "../ui/toast";
import { type Issue, found, reportIssue } from "./telling";
import { ChoiceGrid } from "./choices";
import { type Photo, photoOf } from "../outbox/carried";
import { smallPhoto } from "./photo";
import "../ui/pictures-office";

const CATEGORIES = ["plumbing", "electrical", "heating", "furniture", "television", "door", "glass", "other"] as const;
const SEVERITIES = ["info", "minor", "blocking"] as const;
const THINGS = ["phone", "money", "jewellery", "clothes", "papers", "toy", "other"] as const;
const THING_PICTURE: Record<(typeof THINGS)[number], string> = {
  phone: "phone",
  money: "money",
  jewellery: "ring",
  clothes: "shirt",
  papers: "papers",
  toy: "toy",
  other: "other",
};

/** Photos are kept with the report and sent before it, whenever there is a net. */
function usePhoto() {
  const [taken, setTaken] = useState<Photo[]>([]);
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    const bytes = await smallPhoto(file);
    setBusy(false);
    if (bytes) setTaken((now) => [...now, photoOf(bytes)]);
    else toast(t("my.photoFailed"));
  };
  return { taken, busy, take };
}

function PhotoButton({ photo }: { photo: ReturnType<typeof usePhoto> }) {
  return (
    <label class="button photo-button">
      <Picture name="photo" />
      {photo.busy ? t("state.loading") : photo.taken.length ? t("my.photoTaken") : t("my.photo")}
      <input class="sr" type="file" accept="image/*" capture="environment" data-testid="photo" onChange={(event) => void photo.take(event.currentTarget.files?.[0])} />
    </label>
  );
}

export function ReportDialog({ task, room, onClose, onSent }: { task: Task; room: BoardRoom | undefined; onClose: () => void; onSent: (severity: Issue["severity"]) => void }) {
  const [category, setCategory] = useState("");
  const [severity, setSeverity] = useState<Issue["severity"]>();
  const [words, setWords] = useState("");
  const photo = usePhoto();
  const send = () => {
    if (!category || !severity) return;
    const description = words.trim() || category;
    void reportIssue(task, room, { category, severity, description }, photo.taken, t("my.reported"));
    onSent(severity);
  };
  return (
    <Dialog
      title={t("my.report")}
      onClose={onClose}
      foot={
        <button class="button primary big wide" data-testid="report-send" disabled={!category || !severity || photo.busy} onClick={send}>
          {t("action.send")}
        </button>
      }
    >
      <ChoiceGrid options={CATEGORIES.map((one) => ({ value: one, label: word("category", one), picture: one }))} testid="category" name="category" chosen={category} onChoose={setCategory} />
      <h3>{t("my.howBad")}</h3>
      <ChoiceGrid options={SEVERITIES.map((one) => ({ value: one, label: word("severity", one), picture: one }))} testid="severity" name="severity" chosen={severity ?? ""} onChoose={(one) => setSeverity(one as Issue["severity"])} />
      <label class="field">
        <span>{t("my.words")}</span>
        <textarea class="input" rows={2} dir="auto" maxLength={500} value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </label>
      <PhotoButton photo={photo} />
    </Dialog>
  );
}

export function FoundDialog({ room, onClose }: { room: BoardRoom; onClose: () => void }) {
  const [thing, setThing] = useState("");
  const [words, setWords] = useState("");
  const photo = usePhoto();
  const send = () => {
    const description = [thing && word("thing", thing), words.trim()].filter(Boolean).join(": ");
    if (!description) return;
    void found(room, description, photo.taken, t("my.foundNoted"));
    onClose();
  };
  return (
    <Dialog
      title={t("my.found")}
      onClose={onClose}
      foot={
        <button class="button primary big wide" data-testid="found-send" disabled={(!thing && !words.trim()) || photo.busy} onClick={send}>
          {t("action.send")}
        </button>
      }
    >
      <ChoiceGrid options={THINGS.map((one) => ({ value: one, label: word("thing", one), picture: THING_PICTURE[one] }))} testid="thing" name="thing" chosen={thing} onChoose={setThing} />
      <label class="field">
        <span>{t("my.words")}</span>
        <textarea class="input" rows={2} dir="auto" maxLength={500} data-testid="reason" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </label>
      <PhotoButton photo={photo} />
    </Dialog>
  );
}
