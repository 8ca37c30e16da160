// Loads the page that belongs to the path. A folder with a `page.tsx` is a page: nothing else names it but pages.json.
import { Component, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { needWords, useLanguage } from "../i18n";
import { lazy } from "../ui/lazy";
import { Failed, Loading } from "../ui/states";
import { type Page, place } from "./router";
import { maySee, property, session } from "./session";
import { useStore } from "./store";

type Module = { default: ComponentType };
const modules = import.meta.glob<Module>("../*/page.tsx");
const loaded = new Map<string, ComponentType>();

const NoHouse = lazy(() => import("./no-house").then((module) => module.NoHouse));
const NoPage = lazy(() => import("./no-house").then((module) => module.NoPage));

/** What these pages say is about the person or the device; all others are about a house. */
const WITHOUT_HOUSE = new Set(["login", "outbox-page", "settings"]);

export const hasFolder = (folder: string): boolean => `../${folder}/page.tsx` in modules;

/** A page's code, with its words. */
async function fetchPage(folder: string): Promise<void> {
  const [module] = await Promise.all([modules[`../${folder}/page.tsx`]?.(), needWords(folder)]);
  if (module) loaded.set(folder, module.default);
}

/** Fetches a page ahead of the tap. */
export function preload(page: Page): void {
  void fetchPage(page.folder).catch(() => undefined);
}

export function PageView() {
  const page = useStore(place, (now) => now.page);
  const { standing, who } = useStore(session);
  const house = useStore(property);
  useLanguage();
  const [, redraw] = useState(0);
  const [error, setError] = useState<unknown>();
  const folder = useStore(place, (now) => now.folder);
  const load = () => {
    setError(undefined);
    fetchPage(folder).then(
      () => redraw((n) => n + 1),
      (failure: unknown) => setError(failure),
    );
  };
  const View = loaded.get(folder);
  useEffect(() => {
    if (folder && !loaded.has(folder)) load();
    // It came between the drawing and this moment: nobody else would draw it.
    else if (!View) redraw((n) => n + 1);
  }, [folder]);

  if (!page || !hasFolder(folder)) return standing === "in" ? <NoPage found={false} /> : null;
  if (page.name !== "login" && standing === "in" && !maySee(page, who)) {
    return <NoPage found />;
  }
  if (standing === "in" && !house && !WITHOUT_HOUSE.has(folder)) {
    return <NoHouse />;
  }
  if (error) return <Failed error={error} retry={load} />;
  if (!View) return <div class="page"><Loading /></div>;
  return (
    <Boundary key={folder}>
      <View />
    </Boundary>
  );
}

/** A page that breaks does not take the frame with it. */
class Boundary extends Component<{ children: preact.ComponentChildren }, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override componentDidCatch(error: unknown) {
    console.error(error);
  }
  override render() {
    return this.state.error ? <Failed error={this.state.error} retry={() => this.setState({ error: undefined })} /> : this.props.children;
  }
}
