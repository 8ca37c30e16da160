// Why the plan is as it is, in the reader's language: made from the planner's code and figures, not from its English.
import type { RowReason } from "../api/types";
import { duration } from "../i18n/dates";
import { type Params, hasWord, pluralOf, language, t, word } from "../i18n";
import { nameOf } from "../live/people";

type Values = Record<string, unknown>;
const number = (params: Values, name: string): number => (typeof params[name] === "number" ? (params[name] as number) : 0);
const text = (params: Values, name: string): string => (typeof params[name] === "string" ? (params[name] as string) : "");

/** Codes whose words depend on a count, and which count that is. */
const COUNTED: Record<string, string> = { saves_floors: "floors", saves_sections: "sections", no_time: "people" };

export function reasonText(reason: RowReason): string {
  const params = (reason.params ?? {}) as Values;
  let code = reason.code;
  let count = number(params, COUNTED[code] ?? "");
  if (code === "saves_lateness" && number(params, "rooms") > 0) {
    code = "saves_lateness_rooms";
    count = number(params, "rooms");
  }
  const minutes = Math.max(1, Math.round((number(params, "seconds") || Math.abs(number(params, "cost")) / 1_000) / 60));
  const values: Params = {
    count,
    time: duration(minutes),
    name: nameOf(text(params, "staffId")) || nameOf(text(params, "against")),
    skill: word("kind", text(params, "skill")),
    language: text(params, "language"),
    load: duration(number(params, "loadMin")),
    fair: duration(number(params, "fairShareMin")),
  };
  const plural = `${code}.${pluralOf(count, language())}`;
  if (hasWord("reason", plural)) return word("reason", plural, values);
  return word("reason", code, values);
}

export function Reasons({ reasons }: { reasons: RowReason[] }) {
  const first = reasons[0]?.params as Values | undefined;
  const floor = first && typeof first.onFloor === "number" ? first.onFloor : undefined;
  return (
    <span class="reasons">
      {floor !== undefined && <span>{t("plan.onFloor", { floor })} </span>}
      {reasons.map((reason, index) => (
        <span key={index} data-testid="row-reason" data-code={reason.code}>
          {index > 0 && " · "}
          {reasonText(reason)}
        </span>
      ))}
    </span>
  );
}
