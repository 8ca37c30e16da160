// The demo's people speak Pashto and Dari: whoever only looks around finds their own language at once.
import { LANGUAGES, choose, useLanguage } from "../i18n";

export function DemoLanguages() {
  const language = useLanguage();
  return (
    <>
      {LANGUAGES.map((one) => (
        <button key={one.code} lang={one.code} data-testid="demo-lang" data-lang={one.code} aria-pressed={one.code === language} onClick={() => void choose(one.code)}>
          {one.name}
        </button>
      ))}
    </>
  );
}
