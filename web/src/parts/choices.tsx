import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Option<T> { value: T; name: string; sign?: ComponentChildren; small?: boolean }

/** A row of buttons of which one is chosen; small ones stand below, after a name where they have one. */
export function Choices<T extends string | number>({ label, value, options, onChoose, below = "" }: {
  label: string; value: T; options: Option<T>[]; onChoose: (value: T) => void; below?: string;
}) {
  const small = options.filter((option) => option.small);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {  // what is chosen is in sight; the page stays where it is
    const row = box.current, chosen = row?.querySelector<HTMLElement>(".chosen");
    if (!row || !chosen) return;
    const room = parseFloat(getComputedStyle(row).paddingTop);  // for the ring around what has the focus
    row.scrollTo(chosen.offsetLeft - row.offsetLeft - room, chosen.offsetTop - row.offsetTop - room);
  }, []);
  const button = (option: Option<T>) => (
    <label key={option.value} class={option.value === value ? "chosen" : ""}>
      <input type="radio" name={label} value={String(option.value)} checked={option.value === value} onChange={() => onChoose(option.value)} />
      <span>{option.sign}{option.name}</span>
    </label>
  );
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      <div role="radiogroup" aria-label={label}>
        <div class="row">{options.filter((option) => !option.small).map(button)}</div>
        {small.length > 0 && <div class="row small" ref={box}>{below && <small class="below">{below}</small>}{small.map(button)}</div>}
      </div>
    </fieldset>
  );
}
