// Short news: seen by some, heard by others. One place at a time, so that readers of the screen hear each once.
import { createStore, useStore } from "../app/store";

interface Toast {
  id: number;
  text: string;
}
const toasts = createStore<Toast[]>([]);
const spokenText = createStore("");
/** Dialogs that are open, the topmost last: nobody sees or hears what is said below it. */
export const layers = createStore<string[]>([]);
let next = 1;

const SHOWN_FOR = 5_000;

export function toast(text: string): void {
  const id = next++;
  toasts.set((now) => [...now.slice(-2), { id, text }]);
  setTimeout(() => toasts.set((now) => now.filter((one) => one.id !== id)), SHOWN_FOR);
}

/** For ears only. */
export function announce(text: string): void {
  // The same text twice is news twice.
  spokenText.set((now) => (now === text ? `${text}\u200b` : text));
  // Old news is none to whoever closes a dialog.
  setTimeout(() => spokenText.set((now) => (now.startsWith(text) ? "" : now)), SHOWN_FOR);
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
          </div>
        ))}
      </div>
      <div class="sr" aria-live="polite" data-testid={isTop ? "announcer" : undefined}>
        {isTop && said}
      </div>
    </>
  );
}
