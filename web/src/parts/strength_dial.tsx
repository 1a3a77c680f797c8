import { say } from "../words";

/** A dial for an opponent that has strengths of its own. */
export function StrengthDial({ most, value, onChange }: { most: number; value: number; onChange: (value: number) => void }) {
  return (
    <div class="dial">
      <div class="head"><label for="strength">{say("strength")} <output>{value}</output></label></div>
      <input id="strength" type="range" min={1} max={most} step={1} value={value} onInput={(event) => onChange(Number(event.currentTarget.value))} />
      <div class="ends"><span>1</span><span>{most}</span></div>
    </div>
  );
}
