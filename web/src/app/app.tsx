// From nothing to a page: language, session, page.
import { useEffect } from "preact/hooks";
import { dirOf, useLanguage } from "../i18n";
import { startHub } from "../live/hub";
import { live } from "../live/state";
import { entries, isWaiting } from "../outbox";
import { Conflicts } from "../live/conflicts";
import { Toasts } from "../ui/toast";
import { config } from "./config";
import { Frame } from "./frame";
import { Lock } from "./lock";
import { PageView, hasFolder } from "./page-view";
import { ready } from "./ready";
import { go, place } from "./router";
import { homeOf, property, readsBoard, roleOf, session } from "./session";
import { useStore } from "./store";

export function App() {
  const language = useLanguage();
  const { standing, who } = useStore(session);
  const at = useStore(place);
  const isReady = useStore(ready);
  const now = useStore(live);
  const pending = useStore(entries, (all) => all.filter(isWaiting).length);
  const refused = useStore(entries, (all) => all.filter((one) => one.state === "refused").length);
  const { version } = useStore(config);
  const isLogin = at.page?.name === "login";
  const house = useStore(property);

  const hears = standing === "in" && house && readsBoard() ? house : "";
  const known = standing !== "unknown";
  useEffect(() => {
    if (hears) return startHub(hears);
    if (!known) return undefined;
    // Nobody tells us what changes; whether there is a net one wants to know all the same.
    let stop: (() => void) | undefined;
    let over = false;
    void import("../live/answers").then(({ watchAnswers }) => over || (stop = watchAnswers()), () => live.set("offline"));
    return () => ((over = true), stop?.());
  }, [hears, known]);

  useEffect(() => {
    if (standing === "in" && at.path === "/") {
      const home = homeOf(who);
      go(home === "/desk" && !hasFolder("desk") ? "/board" : home, { replace: true });
    } else if (standing === "out" && !isLogin) {
      const back = at.path === "/" ? "" : `?back=${encodeURIComponent(at.path + at.search)}`;
      go(`/login${back}`, { replace: true });
    }
  }, [standing, who, at, isLogin]);

  return (
    <div
      class="app"
      data-testid="app"
      data-lang={language}
      data-dir={dirOf(language)}
      data-role={standing === "in" || standing === "locked" ? roleOf(who) : ""}
      data-live={now}
      data-pending={String(pending)}
      data-refused={String(refused)}
      data-version={version}
      data-ready={isReady ? "yes" : "no"}
    >
      {standing !== "unknown" && (isLogin || standing === "out" ? <PageView /> : <Frame><PageView /></Frame>)}
      {standing === "locked" && !isLogin && <Lock />}
      {standing === "in" && <Conflicts />}
      <Toasts />
    </div>
  );
}
