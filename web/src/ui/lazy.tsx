// A part of a page that only some people need: its code and its words come when it is drawn, or when the page has time.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { needWords } from "../i18n";

export type Lazy<P extends object> = ComponentType<P> & { preload: () => void };

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> {
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
      fetch().then(() => redraw((n) => n + 1), () => undefined);
    }, []);
    return View ? <View {...props} /> : null;
  };
  return Object.assign(Lazy, { preload: () => void (loaded ?? fetch().catch(() => undefined)) });
}
