// A part of a page that only some people need: its code comes when it is drawn.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, redraw] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (found) => {
          loaded = found;
          redraw((n) => n + 1);
        },
        // Without a net the part stays away; the page goes on.
        () => undefined,
      );
    }, []);
    const View = loaded;
    return View ? <View {...props} /> : null;
  };
}
