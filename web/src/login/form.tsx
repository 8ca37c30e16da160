// Staff code and PIN, by pad, keyboard, paste or password manager. Also what covers a locked page.
import { useRef, useState } from "preact/hooks";
import type { Problem } from "../api/problem";
import { config } from "../app/config";
import { type Session, device } from "../app/session";
import { signIn } from "../app/sign-in";
import { useStore } from "../app/store";
import { clockTime } from "../i18n/dates";
import { digitsOf, plainDigits } from "../i18n/digits";
import { hasWord, t, useLanguage, word } from "../i18n";
import { Picture } from "../ui/pictures";
import "./login.css";

export function LoginForm({ only, onDone }: { only?: Session | undefined; onDone?: () => void }) {
  const language = useLanguage();
  const { demo, tenantId } = useStore(config);
  const [code, setCode] = useState(device.code());
  const [pin, setPin] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const pinField = useRef<HTMLInputElement>(null);
  // Whoever is locked out came from a hotel, and it need not be the one that the device was told of.
  const hotel = only?.tenantId || device.hotel() || tenantId || "";

  const enter = async (credentials: Parameters<typeof signIn>[0]) => {
    setBusy(true);
    setProblem(undefined);
    const refused = await signIn(credentials);
    setBusy(false);
    setPin("");
    if (refused) {
      setProblem(refused);
      pinField.current?.focus();
    } else onDone?.();
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const staffCode = plainDigits(code.trim()).toUpperCase();
    device.setCode(staffCode);
    void enter({ tenantId: hotel, staffCode, pin: plainDigits(pin) });
  };
  const press = (key: string) => {
    setProblem(undefined);
    setPin((now) => (key === "clear" ? "" : key === "back" ? now.slice(0, -1) : (now + key).slice(0, 12)));
  };

  return (
    <form class="login-form stack" onSubmit={submit} autoComplete="on">
      {!hotel && !demo && <p class="notice warn">{t("login.noHotel")}</p>}
      <label class="field">
        <span>{t("login.code")}</span>
        <input
          class="input big"
          name="username"
          data-testid="login-code"
          autocomplete="username"
          autocapitalize="characters"
          spellcheck={false}
          dir="ltr"
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
          required
        />
      </label>
      <label class="field">
        <span>{t("login.pin")}</span>
        <input
          ref={pinField}
          class="input big"
          name="password"
          type="password"
          inputMode="numeric"
          data-testid="login-pin"
          autocomplete="current-password"
          dir="ltr"
          maxLength={12}
          value={pin}
          onInput={(event) => {
            setProblem(undefined);
            setPin(event.currentTarget.value);
          }}
          required
        />
      </label>
      <p class="login-error" role="alert" data-testid={problem ? "login-error" : undefined} data-code={problem?.code}>
        {problem && (
          <>
            <Picture name="alert" />
            {said(problem)}
          </>
        )}
      </p>
      <div class="pad" role="group" aria-label={t("login.pad")} dir="ltr">
        {["1", "2", "3", "4", "5", "6", "7", "8", "9", "clear", "0", "back"].map((key) => (
          <button
            key={key}
            type="button"
            class="pad-key"
            aria-label={key === "clear" ? t("login.clear") : key === "back" ? t("login.back") : undefined}
            onClick={() => press(key)}
          >
            {key === "clear" ? <Picture name="close" /> : key === "back" ? <Picture name="back" /> : digitsOf(key, language)}
          </button>
        ))}
      </div>
      <button class="button primary big" type="submit" data-testid="login-submit" aria-disabled={busy}>
        {busy ? t("login.signingIn") : t("login.submit")}
      </button>
      {demo && <DemoButtons only={only} busy={busy} enter={(role) => void enter({ demo: role })} />}
    </form>
  );
}

const DEMO_ROLES = ["supervisor", "housekeeper", "front_desk", "property_manager"] as const;

function DemoButtons({ only, busy, enter }: { only: Session | undefined; busy: boolean; enter: (role: string) => void }) {
  const roles = DEMO_ROLES.filter((role) => !only || (only.userId.startsWith("usr_demo_") && only.roles.includes(role)));
  // Whoever came by a PIN would find somebody else behind the button.
  if (!roles.length) return null;
  return (
    <section class="stack demo-logins">
      <h2 class="label">{t("login.demoTitle")}</h2>
      <div class="choices">
        {roles.map((role) => (
          <button key={role} type="button" class="button" disabled={busy} data-testid="demo-login" data-role={role} onClick={() => enter(role)}>
            {word("role", role)}
          </button>
        ))}
      </div>
    </section>
  );
}

/** What went wrong, and nothing that would help somebody who guesses. */
function said(problem: Problem): string {
  const time = clockTime(Date.now() + (problem.retryAfter ?? 900) * 1_000);
  return hasWord("login.error", problem.code) ? word("login.error", problem.code, { time }) : t("login.error.other");
}
