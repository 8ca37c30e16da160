// On a phone the pages stand in one row below, which scrolls. Where they are more than fit, this shows all of them at once.
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Picture } from "../ui/pictures";
import "../ui/pictures-office";
import "./more-pages.css";

export function MorePages({ folder }: { folder: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  /** Where one is, in its own row alone: the page stays as it is. */
  const show = () => {
    const bar = button.current?.parentElement;
    const now = bar?.querySelector("[aria-current]");
    if (!bar || !now) return;
    // In the middle of the bar, which does not begin where the screen does when one reads from right to left.
    const [page, all] = [now.getBoundingClientRect(), bar.getBoundingClientRect()];
    bar.scrollBy(page.x + page.width / 2 - all.x - all.width / 2, 0);
  };
  useEffect(() => {
    setOpen(false);
    show();
    // A phone that is turned has a bar of another width.
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [folder]);
  useEffect(() => {
    const bar = button.current?.parentElement;
    bar?.classList.toggle("is-open", open);
    if (!open) return undefined;
    const away = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !bar?.contains(event.target as Node)) setOpen(false);
    };
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, away);
    return () => {
      for (const name of ["pointerdown", "keydown"]) removeEventListener(name, away);
    };
  }, [open]);
  return (
    <button ref={button} class="more-pages" data-testid="nav-more" aria-expanded={open} onClick={() => setOpen(!open)}>
      <Picture name={open ? "close" : "more"} />
      <span>{t("frame.more")}</span>
    </button>
  );
}
