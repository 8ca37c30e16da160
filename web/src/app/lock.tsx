// Covers the page until the same person is back. What was typed below stays as it is.
import { t } from "../i18n";
import { lazy } from "../ui/lazy";

/** The page is covered at once; what is on the cover comes when it is needed. */
const LockInner = lazy(() => import("../login/lock-inner").then((module) => module.LockInner));

/** A page may have a dialog of its own open; the lock lies over it. */
function cover(dialog: HTMLDialogElement | null) {
  if (dialog?.isConnected && !dialog.open) dialog.showModal?.();
  return () => {
    // What is below is to be seen again before the focus can go back to it.
    if (dialog) dialog.className = "";
    dialog?.close?.();
  };
}

export function Lock() {
  return (
    <dialog
      ref={cover}
      class="lock"
      data-testid="lock"
      aria-label={t("app.name")}
      onCancel={(event) => event.preventDefault()}
      // A browser lets itself be told so once; by the next Esc it closes all the same.
      onClose={(event) => void cover(event.currentTarget)}
    >
      <LockInner />
    </dialog>
  );
}
