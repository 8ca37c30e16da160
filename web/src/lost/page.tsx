// Things that were left behind: found again by words, room or date; claimed, given back, or disposed of.
import { replaceRow, useQuery } from "../api/query";
import { useEffect, useState } from "preact/hooks";
import { readJson } from "../api/client";
import { useReady } from "../app/ready";
import { can, property } from "../app/session";
import { setSearch, useSearch } from "../app/router";
import { useStore } from "../app/store";
import { t, useLanguage, word } from "../i18n";
import { dayTime, isoDay, longDate } from "../i18n/dates";
import { asTyped } from "../i18n/digits";
import { useBoard } from "../live/board";
import { areNamed, useNames } from "../live/people";
import { entries, onOutcome } from "../outbox";
import { keep } from "../outbox/keep";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import { Empty, Failed, Loading, OfflineNote } from "../ui/states";
import "../ui/pictures-office";
import "./lost.css";

interface LostItem {
  id: string;
  roomId: string;
  description: string;
  photoMediaIds?: string[] | null;
  storageLocation?: string | null;
  finderStaffId: string;
  status: "recorded" | "matched" | "returned" | "disposed";
  claimantName?: string | null;
  claimantPhone?: string | null;
  disposeMethod?: string | null;
  recordedAt: string;
  version: number;
}
const OPEN = ["recorded", "matched"];
const METHODS = ["donated", "trashed", "kept_storage"] as const;
type Step = "match" | "return" | "dispose";
const LEADS_TO: Record<Step, LostItem["status"]> = { match: "matched", return: "returned", dispose: "disposed" };

export default function LostPage() {
  useLanguage();
  const house = useStore(property);
  const search = useSearch();
  const { board, error: noBoard } = useBoard();
  const name = useNames();
  const waiting = useStore(entries);
  const key = ["lost", house];
  const { data, error, isLoading, refetch, dataUpdatedAt } = useQuery({
    queryKey: key,
    enabled: Boolean(house),
    queryFn: () => readJson<{ items: LostItem[] }>(`/housekeeping/v1/lost-and-found?propertyId=${encodeURIComponent(house)}&limit=500`),
  });
  useEffect(() => onOutcome((heard) => void (/^(found|lost_.*)$/.test(heard.entry.verb) && replaceRow<LostItem>(key, "id", heard.is === "done" && heard.body))), [house]);
  // Numbers of rooms and names come with the things: a line that grows later pushes all below it.
  const isWhole = Boolean(board ?? noBoard) && areNamed((data?.items ?? []).map((item) => item.finderStaffId));
  const isFirst = !error && (!data || !isWhole);
  useReady(!isLoading && !isFirst);
  const [acting, setActing] = useState<{ item: LostItem; step: Step }>();
  const [recording, setRecording] = useState(false);
  const all = search.get("all") === "yes";
  const words = asTyped(search.get("q") ?? "").split(/\s+/).filter(Boolean);
  const numbers = new Map((board?.rooms ?? []).map((room) => [room.roomId, room.number ?? ""]));
  const found = (data?.items ?? [])
    .map((item) => {
      const ahead = waiting.filter((one) => one.lane === item.id && (one.state === "waiting" || one.state === "sending")).at(-1);
      const step = ahead?.verb.replace("lost_", "") as Step | undefined;
      return { ...item, status: step ? LEADS_TO[step] : item.status, pending: Boolean(ahead) };
    })
    .filter((item) => all || OPEN.includes(item.status) || item.pending)
    .filter((item) => {
      const text = [item.description, numbers.get(item.roomId), item.storageLocation, item.claimantName, isoDay(item.recordedAt), longDate(item.recordedAt)].join(" ");
      return words.every((one) => asTyped(text).includes(one));
    });

  return (
    <div class="page lost">
      <header class="page-head">
        <h1>{t("nav.lost")}</h1>
        <button class="button primary" data-testid="lost-record" onClick={() => setRecording(true)}>
          <Picture name="plus" />
          {t("lost.record")}
        </button>
      </header>
      <OfflineNote at={dataUpdatedAt} />
      <div class="row">
        <label class="search grow">
          <Picture name="search" />
          <span class="sr">{t("lost.search")}</span>
          <input class="input grow" type="search" data-testid="lost-search" placeholder={t("lost.search")} value={search.get("q") ?? ""} onInput={(event) => setSearch({ q: event.currentTarget.value })} />
        </label>
        <button class="button" data-testid="lost-all" aria-pressed={all} onClick={() => setSearch({ all: all ? null : "yes" })}>
          {t("lost.all")}
        </button>
      </div>
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {isFirst && <Loading />}
      {!isFirst && data && !found.length && (
        <Empty title={t(words.length ? "lost.noMatch" : "lost.empty")} picture="lost">
          <p>{t(words.length ? "lost.noMatchNext" : "lost.emptyNext")}</p>
        </Empty>
      )}
      <ul class="stack">
        {!isFirst && found.map((item) => (
          <li key={item.id} class={item.pending ? "card lost-item pending" : "card lost-item"} data-testid="lost-item" data-id={item.id} data-status={item.status}>
            <div class="grow">
              <h2>
                <bdi>{item.description}</bdi>
              </h2>
              <p class="small soft">
                {numbers.get(item.roomId) && (
                  <>
                    {t("lost.room")} <bdi>{numbers.get(item.roomId)}</bdi> ·{" "}
                  </>
                )}
                {dayTime(item.recordedAt)} · <bdi>{name(item.finderStaffId)}</bdi>
                {item.storageLocation && (
                  <>
                    {" · "}
                    <bdi>{item.storageLocation}</bdi>
                  </>
                )}
              </p>
              {item.claimantName && (
                <p class="small">
                  {t("lost.claimedBy")} <bdi>{item.claimantName}</bdi> {item.claimantPhone && <bdi>{item.claimantPhone}</bdi>}
                </p>
              )}
            </div>
            {item.photoMediaIds?.filter((id) => /^med_[0-9A-F]{32}$/.test(id)).map((id) => <img key={id} class="lost-photo" src={`/housekeeping/v1/media/${id}`} alt={t("lost.photo")} loading="lazy" />)}
            <span class="chip">{word("lostStatus", item.status)}</span>
            {can("supervisor", "front_desk") && OPEN.includes(item.status) && !item.pending && (
              <div class="row">
                {item.status === "recorded" && (
                  <button class="button" data-testid="lost-match" onClick={() => setActing({ item, step: "match" })}>
                    {t("lost.match")}
                  </button>
                )}
                {item.status === "matched" && (
                  <button class="button primary" data-testid="lost-return" onClick={() => setActing({ item, step: "return" })}>
                    {t("lost.return")}
                  </button>
                )}
                <button class="button" data-testid="lost-dispose" onClick={() => setActing({ item, step: "dispose" })}>
                  {t("lost.dispose")}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {acting && <Act {...acting} onClose={() => setActing(undefined)} />}
      {recording && <Record house={house} rooms={board?.rooms ?? []} onClose={() => setRecording(false)} />}
    </div>
  );
}

function Act({ item, step, onClose }: { item: LostItem; step: Step; onClose: () => void }) {
  const [claimantName, setName] = useState("");
  const [claimantPhone, setPhone] = useState("");
  const [method, setMethod] = useState<(typeof METHODS)[number]>("donated");
  const body = step === "match" ? { claimantName: claimantName.trim(), ...(claimantPhone.trim() ? { claimantPhone: claimantPhone.trim() } : {}) } : step === "dispose" ? { method } : {};
  const send = () => {
    void keep({ lane: item.id, method: "POST", path: `/housekeeping/v1/lost-and-found/${item.id}/${step}`, verb: `lost_${step}`, body, ifMatch: `"${item.version}"` });
    onClose();
  };
  return (
    <Dialog
      title={t(`lost.${step}`)}
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class={step === "dispose" ? "button danger" : "button primary"} data-testid="confirm" disabled={step === "match" && !claimantName.trim()} onClick={send}>
            {t(`lost.${step}`)}
          </button>
        </>
      }
    >
      <p>
        <b>
          <bdi>{item.description}</bdi>
        </b>
      </p>
      {step === "match" && (
        <>
          <label class="field">
            <span>{t("lost.claimant")}</span>
            <input class="input" data-testid="claimant-name" value={claimantName} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label class="field">
            <span>{t("lost.phone")}</span>
            <input class="input" type="tel" dir="ltr" data-testid="claimant-phone" value={claimantPhone} onInput={(event) => setPhone(event.currentTarget.value)} />
          </label>
        </>
      )}
      {step === "return" && (
        <p>
          {t("lost.claimedBy")} <bdi>{item.claimantName}</bdi>
        </p>
      )}
      {step === "dispose" && (
        <div class="choices">
          {METHODS.map((one) => (
            <button key={one} class="button" data-testid="dispose-method" data-method={one} aria-pressed={method === one} onClick={() => setMethod(one)}>
              {word("disposal", one)}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  );
}

function Record({ house, rooms, onClose }: { house: string; rooms: { roomId: string; number?: string | null }[]; onClose: () => void }) {
  const [roomId, setRoom] = useState("");
  const [description, setDescription] = useState("");
  const [storageLocation, setPlace] = useState("");
  const number = rooms.find((room) => room.roomId === roomId)?.number ?? "";
  const send = () => {
    const body = { propertyId: house, roomId, description: description.trim(), ...(storageLocation.trim() ? { storageLocation: storageLocation.trim() } : {}) };
    void keep({ lane: `found ${roomId}`, method: "POST", path: "/housekeeping/v1/lost-and-found", verb: "found", body, room: number }, t("lost.recorded"));
    onClose();
  };
  return (
    <Dialog
      title={t("lost.record")}
      onClose={onClose}
      foot={
        <button class="button primary" data-testid="confirm" disabled={!roomId || !description.trim()} onClick={send}>
          {t("action.save")}
        </button>
      }
    >
      <label class="field">
        <span>{t("lost.room")}</span>
        <select class="input" data-testid="lost-room" value={roomId} onChange={(event) => setRoom(event.currentTarget.value)}>
          <option value="" />
          {[...rooms].sort((a, b) => (a.number ?? "").localeCompare(b.number ?? "", "en", { numeric: true })).map((room) => (
            <option key={room.roomId} value={room.roomId}>
              {room.number}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{t("lost.what")}</span>
        <textarea class="input" rows={3} maxLength={2000} data-testid="lost-description" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
      </label>
      <label class="field">
        <span>{t("lost.place")}</span>
        <input class="input" value={storageLocation} onInput={(event) => setPlace(event.currentTarget.value)} />
      </label>
    </Dialog>
  );
}
