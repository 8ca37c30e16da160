// A choice by pictures: large, few, each in its place.
import { t, word } from "../i18n";
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";
import "./reasons";
import "../ui/pictures-office";

interface Props {
  options: { value: string; label: string; picture: string }[];
  testid: string;
  /** The data attribute that tells the value. */
  name: string;
  onChoose: (value: string) => void;
  chosen?: string | undefined;
}

const PAUSES = ["break", "awaiting_linen", "awaiting_maintenance", "staff_swap", "guest_present", "other"] as const;
const FAILURES = ["room_not_vacated", "access_denied", "sickness", "equipment_missing", "other"] as const;

interface Asked<Reason> {
  onChoose: (reason: Reason) => void;
  onClose: () => void;
}

export function PauseDialog({ onChoose, onClose }: Asked<(typeof PAUSES)[number]>) {
  const options = PAUSES.map((one) => ({ value: one, label: word("pauseReason", one), picture: one }));
  return (
    <Dialog title={t("my.whyPause")} onClose={onClose}>
      <ChoiceGrid options={options} testid="pause-reason" name="reason" onChoose={(reason) => onChoose(reason as (typeof PAUSES)[number])} />
    </Dialog>
  );
}

export function FailDialog({ onChoose, onClose }: Asked<(typeof FAILURES)[number]>) {
  const options = FAILURES.map((one) => ({ value: one, label: word("failReason", one), picture: one }));
  return (
    <Dialog title={t("my.whyFail")} onClose={onClose}>
      <ChoiceGrid options={options} testid="fail-reason" name="reason" onChoose={(reason) => onChoose(reason as (typeof FAILURES)[number])} />
    </Dialog>
  );
}

export function ChoiceGrid({ options, testid, name, onChoose, chosen }: Props) {
  return (
    <ul class="pictures">
      {options.map((one) => (
        <li key={one.value}>
          <button type="button" class="picture-choice" data-testid={testid} {...{ [`data-${name}`]: one.value }} aria-pressed={chosen === undefined ? undefined : chosen === one.value} onClick={() => onChoose(one.value)}>
            <Picture name={one.picture} />
            <span>{one.label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
