import type { Scale } from "../api";
import { say, sayLevel } from "../words";
import { Choices } from "./choices";

/** One dial for the level, with the pool that it is counted in. */
export function LevelDial({ scale, value, pool, onChange, onPool }: {
  scale: Scale; value: number; pool: string; onChange: (value: number) => void; onPool: (pool: string) => void;
}) {
  return (
    <div class="dial">
      <label for="level">{say("level")} <output>{sayLevel(scale.kind, value)}</output> <small>{pool}</small></label>
      <input id="level" type="range" min={scale.low} max={scale.high} step={scale.step} value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))} aria-valuetext={`${sayLevel(scale.kind, value)} ${pool}`} />
      <div class="ends"><span>{sayLevel(scale.kind, scale.low)}</span><span>{sayLevel(scale.kind, scale.high)}</span></div>
      {scale.pools.length > 1 && <Choices label={say("pool")} value={pool} options={scale.pools.map((each) => ({ value: each, name: each }))} onChoose={onPool} />}
    </div>
  );
}
