import type { Scale } from "../api";
import { say, sayDoubt, sayLevel } from "../words";

/** One dial for the level, with the pool of people that it is counted in. It stands still for an opponent that has no levels. */
export function LevelDial({ scale, value, pool, held, turns, people, onChange, onPool }: {
  scale: Scale; turns: boolean; people: boolean; held?: [number, number] | undefined; value: number; pool: string; onChange: (value: number) => void; onPool: (pool: string) => void;
}) {
  return (
    <div class={turns ? "dial" : "dial still"}>
      <div class="head">
        <label for="level">{say("level")} <output>{sayLevel(scale.kind, value)}</output></label>
        {people && (scale.pools.length > 1 ? <select name="pool" aria-label={say("pool")} value={pool} onChange={(event) => onPool(event.currentTarget.value)}>{scale.pools.map((each) => <option key={each} value={each}>{each}</option>)}</select> : <small>{pool}</small>)}
      </div>
      <input id="level" type="range" min={scale.low} max={scale.high} step={scale.step} value={value} disabled={!turns}
        onInput={(event) => onChange(Number(event.currentTarget.value))} aria-valuetext={`${sayLevel(scale.kind, value)} ${pool}`} />
      <div class="ends"><span>{sayLevel(scale.kind, scale.low)}</span><span>{sayLevel(scale.kind, scale.high)}</span></div>
      <p class="note doubt" role="status">{sayDoubt(scale.kind, value, held)}</p>
    </div>
  );
}
