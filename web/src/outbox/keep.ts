// A tap with the words that follow it: what was kept is noted; where the device can keep nothing, it is said what became of it.
import { t } from "../i18n";
import { toast } from "../ui/toast";
import { type Tap, tap } from "./index";
import type { Carried } from "./carried";

/** True where it is safe on the device; then `said` is told. */
export async function keep(what: Tap | Tap[], said = "", photos?: Carried): Promise<boolean> {
  const { kept, sent } = await tap(what, photos);
  const told = kept ? said : t(sent ? "outbox.notKept" : "outbox.notSent");
  if (told) toast(told);
  return kept;
}
