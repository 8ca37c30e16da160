// What stands on the cover of a locked page: who may go on, and the way for somebody else.
import { session, signOut } from "../app/session";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { isSamePerson } from "../outbox/person";
import { LoginForm } from "./form";

export function LockInner() {
  const who = useStore(session, (now) => now.who);
  return (
    <div class="lock-inner stack">
      <h1>{t("lock.title")}</h1>
      <p class="soft">{t("lock.hint", { name: who?.displayName ?? "" })}</p>
      <LoginForm
        only={who}
        onDone={() => {
          // Somebody else begins on a page of their own, and sees nothing of what was typed here.
          if (!isSamePerson(session.get().who, who)) location.assign("/");
        }}
      />
      <button class="button quiet" data-testid="lock-other" onClick={() => void signOut()}>
        {t("lock.other")}
      </button>
    </div>
  );
}
