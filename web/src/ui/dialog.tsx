// Dialogs by the browser's own means: it keeps the focus inside and gives it back, and Esc closes.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Picture } from "./pictures";
import { Toasts, layers } from "./toast";

interface Props {
  title: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
  foot?: ComponentChildren;
  drawer?: boolean;
  testid?: string;
  data?: Record<string, string>;
  /** Where the focus goes first; else the browser decides. */
  closeTestid?: string;
}

export function Dialog({ title, onClose, children, foot, drawer, testid, data, closeTestid = "dismiss" }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const before = useRef<Element | null>(null);
  const close = useRef(onClose);
  close.current = onClose;
  /** Where the pointer went down: whoever marks a text and lets go beside the dialog has not tapped beside it. */
  const pressed = useRef<EventTarget | null>(null);
  useEffect(() => {
    const dialog = box.current;
    before.current = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal?.();
    layers.set((now) => [...now, heading]);
    return () => {
      layers.set((now) => now.filter((one) => one !== heading));
      dialog?.close?.();
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    };
  }, []);
  /**
   * It is off the screen at once. That the page below can be touched again is told to every element of it, which takes a browser longer than
   * anything else here: that follows the paint. Whoever does not let it close sees it again.
   */
  const leave = () => {
    const dialog = box.current;
    if (!dialog || dialog.dataset.leaving) return;
    dialog.dataset.leaving = "yes";
    requestAnimationFrame(() =>
      setTimeout(() => {
        close.current();
        delete dialog.dataset.leaving;
      }),
    );
  };
  const attributes = Object.fromEntries(Object.entries(data ?? {}).map(([name, value]) => [`data-${name}`, value]));
  return (
    <dialog
      ref={box}
      class={drawer ? "drawer" : ""}
      aria-labelledby={heading}
      data-testid={testid}
      {...attributes}
      onCancel={(event) => {
        // Whoever closes the camera closes no dialog: that is told by the field for photos, and rises up to here.
        if (event.target !== box.current) return;
        event.preventDefault();
        leave();
      }}
      onPointerDown={(event) => (pressed.current = event.target)}
      onClick={(event) => {
        // A tap beside the dialog closes it.
        if (event.target === box.current && pressed.current === box.current) leave();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button class="icon-button" data-testid={closeTestid} aria-label={t("action.close")} onClick={leave}>
          <Picture name="close" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
      {foot && <div class="dialog-foot">{foot}</div>}
      <Toasts layer={heading} />
    </dialog>
  );
}
