// A choice by pictures: large, few, each in its place.
import { Dialog } from "../ui/dialog";
import { Picture } from "../ui/pictures";

interface Props {
  title: string;
  options: { value: string; label: string; picture: string }[];
  testid: string;
  /** The data attribute that tells the value. */
  name: string;
  onChoose: (value: string) => void;
  onClose: () => void;
}

export function ChoiceDialog({ title, onClose, ...rest }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ChoiceGrid {...rest} />
    </Dialog>
  );
}

export function ChoiceGrid({ options, testid, name, onChoose, chosen }: Omit<Props, "title" | "onClose"> & { chosen?: string | undefined }) {
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
