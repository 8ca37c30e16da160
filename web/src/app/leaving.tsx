// Logging out while something waits to be sent: it stays, and the person should know.
import { useState } from "preact/hooks";
import { t, tn } from "../i18n";
import { Dialog } from "../ui/dialog";
import { signOut } from "./session";

export function Leaving({ waiting, onClose }: { waiting: number; onClose: () => void }) {
  const [busy, setBusy] = useState(false);
  const go = () => {
    setBusy(true);
    void signOut();
  };
  return (
    <Dialog
      title={t("frame.logout")}
      onClose={onClose}
      foot={
        <>
          <button class="button" onClick={onClose}>
            {t("action.cancel")}
          </button>
          <button class="button primary" data-testid="confirm" disabled={busy} aria-busy={busy} onClick={go}>
            {t("frame.logout")}
          </button>
        </>
      }
    >
      <p>{tn("frame.logoutWaiting", waiting)}</p>
    </Dialog>
  );
}
