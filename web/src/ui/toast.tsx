// Short news: seen by some, heard by others. One place at a time, so that readers of the screen hear each once.
import { createStore, useStore } from "../app/store";

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}
const toasts = createStore<Toast[]>([]);
const spokenText = createStore("");
/** Dialogs that are open, the topmost last: nobody sees or hears what is said below it. */
export const layers = createStore<string[]>([]);
let next = 1;

export function toast(text: string, action?: Toast["action"]): void {
  const id = next++;
  toasts.set((now) => [...now.slice(-2), action ? { id, text, action } : { id, text }]);
  setTimeout(() => dismiss(id), action ? 10_000 : 5_000);
}

const dismiss = (id: number) => toasts.set((now) => now.filter((one) => one.id !== id));

/** For ears only. */
export function announce(text: string): void {
  // The same text twice is news twice.
  spokenText.set((now) => (now === text ? `${text}\u200b` : text));
  // Old news is none to whoever closes a dialog.
  setTimeout(() => spokenText.set((now) => (now.startsWith(text) ? "" : now)), 5_000);
}

/** `layer`: the dialog in which it stands; none: the page. */
export function Toasts({ layer }: { layer?: string }) {
  const isTop = useStore(layers, (open) => open.at(-1) === layer);
  const shown = useStore(toasts);
  const said = useStore(spokenText);
  return (
    <>
      <div class="toasts" role="status" aria-live="polite">
        {isTop && shown.map((one) => (
          <div class="toast" data-testid="toast" key={one.id}>
            <span>{one.text}</span>
            {one.action && (
              <button
                class="button small"
                onClick={() => {
                  one.action?.run();
                  dismiss(one.id);
                }}
              >
                {one.action.label}
              </button>
            )}
          </div>
        ))}
      </div>
      <div class="sr" aria-live="polite" data-testid={isTop ? "announcer" : undefined}>
        {isTop && said}
      </div>
    </>
  );
}
