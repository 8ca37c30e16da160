// What is around every page: where one can go, what waits, whether it is live, and the device's own choices.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dayTime } from "../i18n/dates";
import { LANGUAGES, type Language, choose, t, tn, useLanguage, word } from "../i18n";
import { copyAt, live } from "../live/state";
import { entries, isMine, isWaiting } from "../outbox";
import { lazy } from "../ui/lazy";
import { Picture, hasPicture } from "../ui/pictures";
import { updateReady } from "../sw/update";
import { config } from "./config";
import { hasFolder, preload } from "./page-view";
import { pages, place } from "./router";
import { chooseProperty, houseName, maySee, property, roleOf, session, signOut } from "./session";
import { useStore } from "./store";
import { type Theme, chooseTheme, theme } from "./theme";
import "./frame.css";

const Help = lazy(() => import("./help").then((module) => module.Help));
const DemoLanguages = lazy(() => import("./demo-languages").then((module) => module.DemoLanguages), { whenPainted: true });
const MorePages = lazy(() => import("./more-pages").then((module) => module.MorePages), { whenPainted: true });
const Leaving = lazy(() => import("./leaving").then((module) => module.Leaving));

export function Frame({ children }: { children: ComponentChildren }) {
  useLanguage();
  const { demo } = useStore(config);
  const update = useStore(updateReady);
  const isPrint = useStore(place, (now) => now.page?.folder === "print");
  return (
    <div class={isPrint ? "frame printing" : "frame"}>
      <a class="skip" href="#main">
        {t("frame.skip")}
      </a>
      <div class="frame-side no-print">
        <header class="frame-head">
          <a class="brand" href="/">
            <Mark />
            <span>{t("app.name")}</span>
          </a>
          <div class="frame-signs">
            <Waiting />
            <Connection />
          </div>
        </header>
        <Navigation />
        <div class="frame-tools">
          <Tools />
        </div>
      </div>
      <main id="main" tabIndex={-1}>
        {demo && (
          <p class="demo-ribbon no-print" data-testid="demo-ribbon">
            <span>{t("frame.demo")}</span>
            <DemoLanguages />
          </p>
        )}
        {update && (
          // A tap anywhere on it is meant; the button is for keys, and its click comes here too.
          <p class="notice good no-print update" data-testid="update-ready" role="status" onClick={update.takeOver}>
            <span class="grow">{t("frame.update")}</span>
            <button class="button small primary" data-testid="update-now">
              {t("frame.updateNow")}
            </button>
          </p>
        )}
        {children}
      </main>
    </div>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <path d="M7 24V14a9 9 0 0 1 18 0v10M12 24v-9a4 4 0 0 1 8 0v9M5 24h22" fill="none" stroke="var(--accent-ink)" stroke-width="2.2" stroke-linecap="round" />
    </svg>
  );
}

function Navigation() {
  const who = useStore(session, (now) => now.who);
  const folder = useStore(place, (now) => now.folder);
  const shown = pages.filter((page) => page.nav && hasFolder(page.folder) && maySee(page, who));
  const [, redraw] = useState(0);
  // Pages of the office have pictures that a phone does without.
  const drawn = shown.every((page) => hasPicture(page.name));
  useEffect(() => {
    if (!drawn) void import("../ui/pictures-office").then(() => redraw((n) => n + 1), () => undefined);
  }, [drawn]);
  const language = useLanguage();
  useEffect(() => {
    // A room's drawer and a paper belong to the board.
    const own = pages.find((page) => page.nav && page.folder === folder)?.name ?? "board";
    document.title = `${word("nav", own)} · ${t("app.name")}`;
  }, [folder, language]);
  return (
    <nav class="frame-nav" aria-label={t("nav.label")}>
      {shown.map((page) => (
        <a
          key={page.name}
          href={page.path}
          data-testid={`nav-${page.name}`}
          aria-current={folder === page.folder ? "page" : undefined}
          onPointerEnter={() => preload(page)}
        >
          <Picture name={hasPicture(page.name) ? page.name : ""} />
          <span>{word("nav", page.name)}</span>
        </a>
      ))}
      {shown.length > 5 && <MorePages folder={folder} />}
    </nav>
  );
}

function Waiting() {
  const pending = useStore(entries, (all) => all.filter(isWaiting).length);
  const refused = useStore(entries, (all) => all.filter((one) => one.state === "refused").length);
  return (
    <>
      <a class="chip waiting" href="/outbox" data-testid="pending" data-count={String(pending)} hidden={!pending}>
        <Picture name="clock" />
        {tn("frame.pending", pending)}
      </a>
      {refused > 0 && (
        <a class="chip refused" href="/outbox" data-testid="refused">
          <Picture name="alert" />
          {tn("frame.refused", refused)}
        </a>
      )}
    </>
  );
}

function Connection() {
  const now = useStore(live);
  const at = useStore(copyAt);
  return (
    <span class={`connection ${now}`} role="status">
      <i aria-hidden="true" />
      <span>{word("frame.live", now)}</span>
      {now !== "live" && at > 0 && (
        <span data-testid="stale-since" data-at={new Date(at).toISOString()}>
          {t("frame.staleSince", { time: dayTime(at) })}
        </span>
      )}
    </span>
  );
}

function Tools() {
  const language = useLanguage();
  const chosen = useStore(theme);
  const who = useStore(session, (now) => now.who);
  const [help, setHelp] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const waiting = useStore(entries, (all) => all.filter((one) => one.state !== "dropped" && isMine(one)).length);
  return (
    <>
      <div class="who" title={who?.displayName}>
        <b>
          <bdi>{who?.displayName}</bdi>
        </b>
        <span class="small soft">{word("role", roleOf(who))}</span>
      </div>
      <PropertyChoice />
      <label class="tool">
        <Picture name="language" />
        <span class="sr">{t("frame.language")}</span>
        <select data-testid="lang" value={language} onChange={(event) => void choose(event.currentTarget.value as Language)}>
          {LANGUAGES.map((one) => (
            <option key={one.code} value={one.code} lang={one.code}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <label class="tool">
        <Picture name="theme" />
        <span class="sr">{t("frame.theme")}</span>
        <select data-testid="theme" value={chosen} onChange={(event) => chooseTheme(event.currentTarget.value as Theme)}>
          {(["system", "light", "dark"] as const).map((one) => (
            <option key={one} value={one}>
              {word("frame.theme", one)}
            </option>
          ))}
        </select>
      </label>
      <button class="tool" data-testid="help" title={t("frame.help")} onClick={() => setHelp(true)}>
        <Picture name="help" />
        <span>{t("frame.help")}</span>
      </button>
      <button class="tool" data-testid="logout" title={t("frame.logout")} onClick={() => (waiting ? setLeaving(true) : void signOut())}>
        <Picture name="logout" />
        <span>{t("frame.logout")}</span>
      </button>
      {help && <Help onClose={() => setHelp(false)} />}
      {leaving && <Leaving waiting={waiting} onClose={() => setLeaving(false)} />}
    </>
  );
}

/** Where a house has no name, the end of its id tells two of them apart. */
function PropertyChoice() {
  const who = useStore(session, (now) => now.who);
  const current = useStore(property);
  const houses = who?.houses ?? who?.properties.filter((one) => one !== "*") ?? [];
  const all = houses.includes(current) || !current ? houses : [current, ...houses];
  const name = (id: string) => houseName(who, id) || (all.length < 2 ? t("frame.property") : `${t("frame.property")} ${id.slice(-4)}`);
  return (
    <label class="tool">
      <Picture name="hotel" />
      <span class="sr">{t("frame.property")}</span>
      <select data-testid="property" data-property-id={current} value={current} disabled={all.length < 2} onChange={(event) => chooseProperty(event.currentTarget.value)}>
        {(all.length ? all : [current]).map((id) => (
          <option key={id} value={id}>
            {name(id)}
          </option>
        ))}
      </select>
    </label>
  );
}
