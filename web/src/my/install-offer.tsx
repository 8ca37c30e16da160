// Keeping the app on the phone: the browser's own offer, or where there is none (iOS) how one does it by hand.
import { useState } from "preact/hooks";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { Picture } from "../ui/pictures";
import { byHand, installOffer } from "./install";

export function InstallOffer() {
  const offer = useStore(installOffer);
  const [gone, setGone] = useState(localStorage.getItem("melmastoon.no-install") === "yes");
  if ((!offer && !byHand()) || gone) return null;
  const dismiss = () => {
    localStorage.setItem("melmastoon.no-install", "yes");
    setGone(true);
  };
  return (
    <p class="notice good" data-testid="install" data-by={offer ? "browser" : "hand"}>
      <span class="grow">
        {t("my.install")} {!offer && t("my.installByHand")}
      </span>
      {offer && (
        <button class="button primary" onClick={() => void offer.prompt()}>
          {t("my.installNow")}
        </button>
      )}
      <button class="icon-button" aria-label={t("action.close")} onClick={dismiss}>
        <Picture name="close" />
      </button>
    </p>
  );
}
