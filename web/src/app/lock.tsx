// Covers the page until the same person is back. What was typed below stays as it is.
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { lazy } from "../ui/lazy";

/** The page is covered at once; what is on the cover comes when it is needed. */
const LockInner = lazy(() => import("../login/lock-inner").then((module) => module.LockInner));

export function Lock() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    // A page may have a dialog of its own open; the lock lies over it.
    if (dialog && !dialog.open) dialog.showModal?.();
    return () => dialog?.close?.();
  }, []);
  return (
    <dialog ref={box} class="lock" data-testid="lock" aria-label={t("app.name")} onCancel={(event) => event.preventDefault()}>
      <LockInner />
    </dialog>
  );
}
