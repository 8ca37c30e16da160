// A hotel's house that nobody has told of yet: there is nothing to show, and one thing to do.
import { t } from "../i18n";
import { Empty } from "../ui/states";
import { useReady } from "./ready";

export function NoHouse() {
  useReady(true);
  return (
    <div class="page">
      <h1 class="sr">{t("frame.noHouse")}</h1>
      <Empty title={t("frame.noHouse")}>
        <p>{t("frame.noHouseNext")}</p>
      </Empty>
    </div>
  );
}
