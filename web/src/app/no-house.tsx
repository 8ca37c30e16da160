// Where there is nothing to show, and one thing to do: a house that nobody has told of yet, and a page that is not there, or not for this person.
import { t } from "../i18n";
import { Picture } from "../ui/pictures";
import { Empty } from "../ui/states";
import { useReady } from "./ready";
import { homeOf, session } from "./session";

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

export function NoPage({ found }: { found: boolean }) {
  useReady(true);
  return (
    <div class="page">
      <div class="state" data-testid="state-empty">
        <Picture name="empty" />
        <h1>{t(found ? "frame.notAllowed" : "frame.notFound")}</h1>
        <a class="button" href={homeOf(session.get().who)}>
          {t("frame.goHome")}
        </a>
      </div>
    </div>
  );
}
