// A part of a page that only some people need: its code and its words come when it is drawn, or when the page has time.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { afterPainted } from "../app/idle";
import { needWords } from "../i18n";

export type Lazy<P extends object> = ComponentType<P> & { preload: () => void };

/** `whenPainted`: it stands below what one came for, and waits until that is on the screen. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, { whenPainted = false } = {}): Lazy<P> {
  let loaded: ComponentType<P> | undefined;
  const fetch = async () => {
    const [found] = await Promise.all([load(), needWords("more")]);
    loaded = found;
  };
  const Lazy = (props: P) => {
    const [, redraw] = useState(0);
    const View = loaded;
    useEffect(() => {
      if (View) return;
      // It may have come between the drawing and this moment.
      if (loaded) return redraw((n) => n + 1);
      // Without a net the part stays away; the page goes on.
      const come = () => void fetch().then(() => redraw((n) => n + 1), () => undefined);
      if (whenPainted) afterPainted(come);
      else come();
    }, []);
    return View ? <View {...props} /> : null;
  };
  return Object.assign(Lazy, { preload: () => void (loaded ?? fetch().catch(() => undefined)) });
}
