// The first page: language, then who. Links bring the hotel, a token, or a role of the demo.
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/problem";
import { config } from "../app/config";
import { go, match } from "../app/router";
import { useReady } from "../app/ready";
import { device, homeOf, maySee, session } from "../app/session";
import { signIn } from "../app/sign-in";
import { useStore } from "../app/store";
import { hasFolder } from "../app/page-view";
import { LANGUAGES, choose, hasWord, known, t, useLanguage, word } from "../i18n";
import { Dialog } from "../ui/dialog";
import { OfflineNote } from "../ui/states";
import { LoginForm } from "./form";

/** Where to go after signing in: back to where one was sent from, if that is one of our pages. */
function onward(): string {
  const back = new URLSearchParams(location.search).get("back");
  const home = homeOf(session.get().who);
  const found = back?.startsWith("/") && !back.startsWith("//") ? match(back.split("?")[0] ?? "") : undefined;
  const allowed = found && found.page.name !== "login" && maySee(found.page, session.get().who);
  if (back && allowed) return back;
  return home === "/desk" && !hasFolder("desk") ? "/board" : home;
}

export default function LoginPage() {
  const language = useLanguage();
  const standing = useStore(session, (now) => now.standing);
  const { version } = useStore(config);
  const [asking, setAsking] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  // A link that signs in by itself leads on: this page is not what one came for, unless it was refused or asks.
  const [entering] = useState(() => new URLSearchParams(location.search).has("demo") || location.hash.startsWith("#token="));
  useReady(standing !== "unknown" && (!entering || problem !== undefined || asking !== undefined));

  useEffect(() => {
    document.title = `${t("login.title")} · ${t("app.name")}`;
  }, [language]);
  const enter = async (credentials: Parameters<typeof signIn>[0]) => {
    setAsking(undefined);
    const refused = await signIn(credentials);
    setProblem(refused);
    if (!refused) go(onward(), { replace: true });
  };
  useEffect(() => {
    if (standing === "unknown") return;
    const search = new URLSearchParams(location.search);
    const hotel = search.get("hotel");
    if (hotel) device.setHotel(hotel);
    const wished = known(search.get("lang"));
    if (wished) void choose(wished);
    const token = new URLSearchParams(location.hash.slice(1)).get("token");
    const demo = search.get("demo");
    if (token) {
      // What follows # reaches no log; it shall not stay in the history either.
      history.replaceState(null, "", location.pathname + location.search);
      void enter({ token });
    } else if (demo) {
      if (standing === "in" && !session.get().who?.roles.includes(demo as never)) setAsking(demo);
      else if (standing === "in") go(onward(), { replace: true });
      else void enter({ demo });
    } else if (standing === "in") go(onward(), { replace: true });
  }, [standing]);

  return (
    <main class="login" id="main">
      <aside class="login-side" aria-hidden="true">
        <p>{t("login.welcome")}</p>
      </aside>
      <div class="login-card">
        <div class="login-brand">
          <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="8" fill="var(--accent)" />
            <path d="M7 24V14a9 9 0 0 1 18 0v10M12 24v-9a4 4 0 0 1 8 0v9M5 24h22" fill="none" stroke="var(--accent-ink)" stroke-width="2.2" stroke-linecap="round" />
          </svg>
          <span>{t("app.name")}</span>
        </div>
        <div class="login-languages" role="group" aria-label={t("frame.language")}>
          {LANGUAGES.map((one) => (
            <button key={one.code} class="button" lang={one.code} aria-pressed={language === one.code} onClick={() => void choose(one.code)}>
              {one.name}
            </button>
          ))}
          <label class="sr">
            {t("frame.language")}
            <select data-testid="lang" tabIndex={-1} value={language} onChange={(event) => void choose(event.currentTarget.value as never)}>
              {LANGUAGES.map((one) => (
                <option key={one.code} value={one.code} lang={one.code}>
                  {one.name}
                </option>
              ))}
            </select>
          </label>
        </div>
        <h1>{t("login.title")}</h1>
        {problem && (
          <p class="notice bad" role="alert" data-testid="login-error" data-code={problem.code}>
            {hasWord("login.error", problem.code) ? word("login.error", problem.code) : t("login.error.other")}
          </p>
        )}
        <OfflineNote copies={false} needsNet />
        <LoginForm onDone={() => go(onward(), { replace: true })} />
        {version && <p class="small soft login-version"><bdi>{version}</bdi></p>}
      </div>
      {asking && (
        <Dialog
          title={t("login.title")}
          onClose={() => go(onward(), { replace: true })}
          foot={
            <>
              <button class="button" onClick={() => go(onward(), { replace: true })}>
                {t("action.cancel")}
              </button>
              <button class="button primary" data-testid="confirm" onClick={() => void enter({ demo: asking })}>
                {t("action.confirm")}
              </button>
            </>
          }
        >
          <p>{t("login.alreadyIn", { name: session.get().who?.displayName ?? "", role: word("role", asking) })}</p>
        </Dialog>
      )}
    </main>
  );
}
