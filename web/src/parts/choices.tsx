import type { ComponentChildren } from "preact";

/** A row of buttons of which one is chosen. */
export function Choices<T extends string | number>({ label, value, options, onChoose }: {
  label: string; value: T; options: { value: T; name: string; sign?: ComponentChildren }[]; onChoose: (value: T) => void;
}) {
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      <div class="row" role="radiogroup" aria-label={label}>
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? "chosen" : ""}>
            <input type="radio" name={label} value={String(option.value)} checked={option.value === value} onChange={() => onChoose(option.value)} />
            <span>{option.sign}{option.name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
