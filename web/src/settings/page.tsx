// The device's own choices for everybody; how the hotel works, its lists and its device links for those who manage it.
import { useEffect, useState } from "preact/hooks";
import { config } from "../app/config";
import { isShared, lockMinutes, setLockMinutes, setShared } from "../app/idle-lock";
import { useReady } from "../app/ready";
import { can, device, session } from "../app/session";
import { useStore } from "../app/store";
import { type Theme, chooseTheme, theme } from "../app/theme";
import { LANGUAGES, type Language, choose, t, useLanguage, word } from "../i18n";
import { type Calendar, calendarChosen, calendarOf, chooseCalendar, duration, longDate } from "../i18n/dates";
import { live } from "../live/state";
import { copies } from "../outbox/shelf";
import { Loading, OfflineNote } from "../ui/states";
import { toast } from "../ui/toast";
import { ChecklistSettings, useChecklists } from "./checklists";
import { HotelSettings, useHotelSettings } from "./hotel";
import { QrCode } from "./qr";
import "./settings.css";

export default function SettingsPage() {
  useLanguage();
  const manages = can("property_manager", "admin");
  const offline = useStore(live) === "offline";
  const hotel = useHotelSettings(manages && !offline);
  const lists = useChecklists(manages && !offline);
  const asked = [hotel, lists];
  const [kept, setKept] = useState<Kept>();
  useEffect(() => void keptNow().then(setKept), []);
  // All below the first lines at once, so that nothing is pushed away under the pointer.
  const isFirst = !kept || (manages && !offline && asked.some((one) => one.isLoading && !one.failureCount));
  useReady(!isFirst && (!manages || offline || asked.every((one) => one.data !== undefined || one.isError)));
  return (
    <div class="page settings">
      <header class="page-head">
        <h1>{t("nav.settings")}</h1>
      </header>
      <OfflineNote copies={false} needsNet={manages} />
      <OwnChoices />
      {isFirst && <Loading count={8} />}
      {kept && !isFirst && <Storage kept={kept} look={() => void keptNow().then(setKept)} />}
      {/* Once there, they stay: what was typed outlives a net that flickers. */}
      {manages && !isFirst && (!offline || hotel.data) && <HotelSettings />}
      {manages && !isFirst && (!offline || lists.data) && <ChecklistSettings />}
      {!isFirst && can("supervisor", "property_manager", "admin") && <DeviceLink />}
    </div>
  );
}

function OwnChoices() {
  const language = useLanguage();
  const chosen = useStore(theme);
  useStore(calendarChosen);
  const calendar = calendarOf(language);
  return (
    <section class="card stack" aria-labelledby="own">
      <h2 id="own">{t("settings.own")}</h2>
      <div class="fields">
        <label class="field">
          <span>{t("frame.language")}</span>
          <select class="input" data-testid="settings-lang" value={language} onChange={(event) => void choose(event.currentTarget.value as Language)}>
            {LANGUAGES.map((one) => (
              <option key={one.code} value={one.code} lang={one.code}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("settings.calendar")}</span>
          <select class="input" data-testid="settings-calendar" value={calendar} onChange={(event) => chooseCalendar(event.currentTarget.value as Calendar)}>
            {(["solar", "gregorian"] as const).map((one) => (
              <option key={one} value={one}>
                {word("settings.calendar", one)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t("frame.theme")}</span>
          <select class="input" data-testid="settings-theme" value={chosen} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
            {(["system", "light", "dark"] as const).map((one) => (
              <option key={one} value={one}>
                {word("frame.theme", one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <LockChoices />
      <p class="soft" data-testid="today">
        {t("settings.today", { date: longDate(Date.now(), language, calendar) })}
      </p>
    </section>
  );
}

const LOCK_AFTER = [5, 10, 15, 30, 60];

/** When a page that nobody touches is covered, and whether a housekeeper's own page is too. */
function LockChoices() {
  const [minutes, setMinutes] = useState(lockMinutes());
  const [shared, setIsShared] = useState(isShared());
  return (
    <div class="fields">
      <label class="field">
        <span>{t("settings.lockAfter")}</span>
        <select
          class="input"
          data-testid="settings-lock"
          value={String(minutes)}
          onChange={(event) => {
            setLockMinutes(Number(event.currentTarget.value));
            setMinutes(lockMinutes());
          }}
        >
          {[...new Set([...LOCK_AFTER, minutes])].sort((a, b) => a - b).map((one) => (
            <option key={one} value={String(one)}>
              {duration(one)}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          data-testid="settings-shared"
          checked={shared}
          onChange={(event) => {
            setShared(event.currentTarget.checked);
            setIsShared(isShared());
          }}
        />
        <span>
          {t("settings.shared")} <span class="small soft">{t("settings.sharedHint")}</span>
        </span>
      </label>
    </div>
  );
}

interface Kept {
  /** Unknown where a browser does not tell. */
  kept?: boolean | undefined;
  used?: number | undefined;
}

async function keptNow(): Promise<Kept> {
  const [kept, used] = await Promise.all([
    navigator.storage?.persisted?.().catch(() => undefined),
    navigator.storage?.estimate?.().then((now) => now.usage, () => undefined),
  ]);
  return { kept, used };
}

function Storage({ kept: { kept, used }, look }: { kept: Kept; look: () => void }) {
  const { version } = useStore(config);
  return (
    <section class="card stack" aria-labelledby="storage">
      <h2 id="storage">{t("settings.storage")}</h2>
      <p data-testid="storage-kept" data-kept={String(kept ?? false)}>
        {t(kept ? "settings.storageKept" : "settings.storageNotKept")}
        {used !== undefined && <span class="soft"> {t("settings.storageUsed", { size: Math.round(used / 1024) })}</span>}
      </p>
      <div class="row">
        {kept === false && (
          <button class="button" data-testid="storage-keep" onClick={() => void navigator.storage.persist().then(look)}>
            {t("settings.storageKeep")}
          </button>
        )}
        <button class="button" data-testid="copies-clear" onClick={() => void copies.clear().then(() => (look(), toast(t("settings.copiesCleared"))))}>
          {t("settings.copiesClear")}
        </button>
      </div>
      <p class="small soft">{t("settings.version", { version })}</p>
    </section>
  );
}

/** Opens the sign-in of this hotel on another device. It holds no secret: code and PIN are still asked for. */
function DeviceLink() {
  const hotel = useStore(session, (now) => now.who?.tenantId) ?? device.hotel();
  if (!hotel) return null;
  const link = `${location.origin}/login?hotel=${encodeURIComponent(hotel)}`;
  return (
    <section class="card stack" aria-labelledby="device">
      <h2 id="device">{t("settings.device")}</h2>
      <p class="soft">{t("settings.deviceHint")}</p>
      {/^(localhost|127\.|\[::1\])/.test(location.hostname) && (
        <p class="notice warn" data-testid="device-loopback">
          <span class="grow">{t("settings.deviceLoopback")}</span>
        </p>
      )}
      <div class="device-link">
        <QrCode text={link} label={t("settings.device")} />
        <div class="stack grow">
          <code class="link" dir="ltr" data-testid="device-link">
            {link}
          </code>
          <button class="button" onClick={() => void navigator.clipboard?.writeText(link).then(() => toast(t("settings.copied")))}>
            {t("settings.copy")}
          </button>
        </div>
      </div>
    </section>
  );
}
