import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { act, beginAgain, type Board, type Chances, type Count, fetchChances, fetchGame, fetchHint, type GameState, type Hint, type Info, markDead, recordAddress, sendMove, setPace } from "../api";
import { AnyBoard, type Mark, turns } from "../boards/board";
import { darkFirst } from "../games";
import { Bars } from "../parts/bars";
import { ClockFace } from "../parts/clock";
import { LineNote } from "../parts/line_note";
import { useLive } from "../parts/live";
import { MoveList } from "../parts/move_list";
import { usePast } from "../parts/past";
import { PieceSetButton } from "../parts/piece_set";
import { Rules } from "../parts/rules";
import { follow, visit } from "../parts/route";
import { Steps } from "../parts/steps";
import { WinBar } from "../parts/win_bar";
import { say, sayEnding, sayLevel, saySide, sayStyle, type Word } from "../words";

const NO_MARKS: Mark[] = [];

export function GamePage({ id, info }: { id: string; info: Info }) {
  const live = useLive<GameState>(id, () => fetchGame(id), (now) => (now.outcome === null && !now.your_turn ? () => act(now.id, "answer") : null));
  const { state, sent, change } = live;
  const past = usePast(state);
  const [wrong, setWrong] = useState("");
  const [tried, setTried] = useState("");
  const [hint, setHint] = useState<Hint | null>(null);
  const [chances, setChances] = useState<Chances | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [asking, setAsking] = useState(false);
  const free = state !== null && state.your_turn && sent === null;

  useEffect(() => {
    setHint(null);
    setAsking(false);
    if (state === null || !state.your_turn) return;
    let wanted = true;
    fetchChances(state.id).then((next) => { if (wanted) setChances(next); }, () => setChances(null));
    return () => { wanted = false; };
  }, [state]);

  useEffect(() => { setWrong(""); }, [state?.ply, state?.outcome]);

  const ask = useCallback((work: () => Promise<GameState>, name = "") => { setTried(name); setWrong(""); return change(work, name); }, [change]);
  const play = useCallback((move: string) => {
    if (state === null) return;
    past.look(state.ply);
    setHint(null);
    void ask(() => sendMove(state.id, move, state.ply), move);
  }, [state, ask]);
  const fail = (problem: Error) => setWrong(problem.message);
  const showHint = () => { if (free) { past.look(state.ply); fetchHint(state.id).then(setHint, fail); } };
  const keys: Record<string, () => void> = {
    h: showHint,
    u: () => { if (state?.undoable) { past.look(state.ply); void ask(() => act(state.id, "undo")); } },
    f: () => setFlipped(!flipped),
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      keys[event.key.toLowerCase()]?.();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const toggleDead = (vertex: string) => {
    if (state === null) return;
    const chain = chainOf(state.board, vertex), dead = state.board.dead.filter((each) => !chain.has(each));
    void ask(() => markDead(state.id, dead.length < state.board.dead.length ? dead : [...dead, ...chain]));
  };
  const offerDraw = async () => {
    const next = await ask(() => act(id, "draw"));
    if (next && !next.outcome) setWrong(say("declined"));
  };

  const refused = live.wrong && (live.wrong.status === 404 ? say("notFound") : live.wrong.status === 400 && tried ? `${say("badMove")} ${tried}` : live.wrong.message);
  if (state === null) return <main class="table"><LineNote line={live.line} onRetry={live.look} /><p class="wrong" role="alert">{refused}</p></main>;
  const looking = past.at !== null;
  const shown = past.board ?? state.board;
  const bottom = flipped ? 1 - state.you : state.you;
  const marks = hint && !looking ? hint.moves.map(({ move, probability }) => ({ move, share: probability })) : NO_MARKS;
  const ours = info.games.find((each) => each.name === state.game)!;
  const level = state.rating === null ? "" : sayLevel(ours.scale.kind, state.rating);
  const levelled = state.judge.follows_level, people = state.judge.name === "human";
  const chancesOf = levelled ? "chancesAt" : people ? "chancesPeople" : "chancesOwn", hintOf = levelled ? "hintTitle" : people ? "hintPeople" : "hintOwn";
  const first = saySide(state.game, state.sides[0]);
  const counted = state.board.owners !== "";
  const face = (side: number) => state.clock && <ClockFace clock={state.clock} side={side} turn={state.outcome ? -1 : state.board.to_move} onEnd={live.look} />;
  const taken = (side: number) => (shown.kind === "stones" ? shown.captures[side] : undefined);
  return (
    <main class={`table ${state.game}-table`} data-ply={state.ply} data-turn={state.outcome ? "over" : state.your_turn ? "you" : "them"} data-looking={past.at ?? undefined}>
      <div class="board-column">
        <PlayerLine name={sayStyle(state.style.name)} note={state.style.follows_level ? `${level} ${state.pool}` : state.style.name === "human" ? state.pool : state.style.mind.split(" ")[0]!} side={saySide(state.game, state.sides[1 - state.you]!)} busy={!state.outcome && !state.your_turn} captures={taken(1 - state.you)} clock={face(1 - state.you)} />
        <div class={`now ${looking ? "looking" : ""}`} onClick={looking ? () => past.look(state.ply) : undefined}>
          <AnyBoard game={state.game} board={shown} bottom={bottom} movable={free && !looking} sent={looking ? null : sent} marks={marks} onMove={play} onStone={counted && !looking ? toggleDead : undefined} />
        </div>
        <PlayerLine name={say("you")} note="" side={saySide(state.game, state.sides[state.you]!)} busy={false} captures={taken(state.you)} clock={face(state.you)} />
      </div>
      <aside class="panel side">
        <p class="status" role="status" aria-live="polite">{state.outcome ? <Verdict state={state} /> : state.your_turn ? say("yourTurn") : say("thinking")}</p>
        <LineNote line={live.line} onRetry={live.look} />
        {state.count && <GoCount count={state.count} />}
        {counted && <p class="note">{say("markDead")}</p>}
        <WinBar sides={[first, saySide(state.game, state.sides[1])]} chances={state.outcome ? { score: state.outcome.score, win: null, draw: null, loss: null } : chances} label={`${first}: ${say(chancesOf)}`} darkFirst={darkFirst(state.game)} />
        <p class="bar-caption"><span>{say(chancesOf)}</span>{levelled && <span>{level} {state.pool}</span>}</p>
        {(wrong || refused) && <p class="wrong" role="alert">{wrong || refused}</p>}
        {state.offered && <div class="buttons offer"><span>{say("offered")}</span> <button type="button" onClick={() => void ask(() => act(id, "draw"))}>{say("accept")}</button></div>}
        {state.outcome && <div class="buttons"><a class="button main" href={`/review?game=${state.id}&kind=${state.game}`} onClick={follow}>{say("reviewGame")}</a>
          <button type="button" onClick={() => beginAgain(state.id).then((next) => visit(`/game/${next.id}`), fail)}>{say("again_")}</button></div>}
        {hint && (
          <section class="hint"><h2>{say(hintOf)}</h2>
            <Bars bars={hint.moves.map(({ move, name, probability }) => ({ key: move, name, share: probability }))} onPick={free ? play : undefined} />
          </section>
        )}
        <MoveList moves={state.moves} at={past.at ?? state.ply} pairs={ours.pairs} onPick={past.look} />
        {state.ply > 0 && <div class={`through ${looking ? "looking" : ""}`}><Steps at={past.at ?? state.ply} last={state.ply} onStep={past.look} />
          {looking && <p role="status"><b>{say("lookingBack")}</b> <button type="button" onClick={() => past.look(state.ply)}>{say("toPresent")}</button></p>}</div>}
        {!state.outcome && <TypedMove onMove={play} enabled={free} />}
        <div class="buttons">
          <button type="button" onClick={showHint} disabled={!free}>{say("hint")}</button>
          <button type="button" onClick={keys["u"]} disabled={!state.undoable}>{say("takeBack")}</button>
          {ours.passes && ours.board !== "drawing" && <button type="button" onClick={() => play("pass")} disabled={!free}>{say("pass")}</button>}
          {(ours.draws || state.claim) && <button type="button" disabled={!free} onClick={() => void offerDraw()}>{state.claim ? `${say("claim")}: ${sayEnding(state.game, state.claim)}` : say("draw")}</button>}
          {!state.outcome && !asking && <button type="button" onClick={() => setAsking(true)}>{say("resign")}</button>}
          {turns(shown) && <button type="button" onClick={keys["f"]}>{say("flip")}</button>}
          {(ours.board === "sfen" || Object.keys(ours.letters).length > 0) && <PieceSetButton />}
          {!state.outcome && <button type="button" onClick={() => void ask(() => setPace(state.id, state.pace === "human" ? "instant" : "human"))}>{say(state.pace === "human" ? "atOnce" : "likePerson")}</button>}
        </div>
        {asking && <div class="buttons asking" role="alertdialog" aria-label={say("sureResign")}><span>{say("sureResign")}</span>
          <button type="button" onClick={() => void ask(() => act(id, "resign"))}>{say("yes")}</button><button type="button" onClick={() => setAsking(false)}>{say("no")}</button></div>}
        <Rules game={ours} />
        <p class="links">
          <a href={`/predict?game=${state.id}&ply=${past.at ?? state.ply}`} onClick={follow}>{say("predictHere")}</a>
          {!state.outcome && state.ply > 0 && <a href={`/review?game=${state.id}&kind=${state.game}`} onClick={follow}>{say("reviewGame")}</a>}
          {ours.formats.map((kind) => <a key={kind} href={recordAddress(state.id, kind)} download>{say("save")} {kind === "plain" ? say("asText") : kind.toUpperCase()}</a>)}
          <a href="/" onClick={follow}>{say("again")}</a>
        </p>
        <p class="keys">{say("shortcuts")}</p>
      </aside>
    </main>
  );
}

/** The stones of a chain, as vertices: dead stones die together. */
function chainOf({ stones, size }: Board, vertex: string): Set<string> {
  const letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const nameOf = (point: number) => `${letters[point % size]}${size - Math.floor(point / size)}`;
  const begin = (size - Number(vertex.slice(1))) * size + letters.indexOf(vertex[0]!);
  const found = new Set([begin]);
  for (const point of found) {
    const column = point % size;
    for (const [there, inside] of [[point - 1, column > 0], [point + 1, column < size - 1], [point - size, true], [point + size, true]] as const) {
      if (inside && stones[there] === stones[begin]) found.add(there);
    }
  }
  return new Set([...found].map(nameOf));
}

function PlayerLine({ name, note, side, busy, captures, clock }: { name: string; note: string; side: string; busy: boolean; captures: number | undefined; clock: ComponentChildren }) {
  return (
    <p class="player"><b>{name}</b> <span>{side}</span> <small>{note}</small>
      {captures !== undefined && <small>{say("captures")} {captures}</small>}{busy && <span class="busy" aria-hidden="true" />}{clock}</p>
  );
}

function Verdict({ state }: { state: GameState }) {
  const { score, reason } = state.outcome!;
  const word: Word = score === 0.5 ? "drawn" : (score > 0.5) === (state.you === 0) ? "won" : "lost";
  return <><b>{say(word)}</b> <small>{sayEnding(state.game, reason)}</small></>;
}

/** Both sides' points of a counted board, and the komi in White's. */
function GoCount({ count: { black, white, komi } }: { count: Count }) {
  return (
    <dl class="count-table">
      <div><dt>{say("Black")}</dt><dd>{black}</dd></div>
      <div><dt>{say("White")}</dt><dd>{white} {komi !== 0 && <small>{white - komi} + {say("komi")} {komi}</small>}</dd></div>
    </dl>
  );
}

function TypedMove({ onMove, enabled }: { onMove: (move: string) => void; enabled: boolean }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("move") as HTMLInputElement;
    if (!enabled) return;
    if (field.value.trim()) onMove(field.value.trim());
    field.value = "";
  };
  return <form class="typed" onSubmit={submit}><input name="move" autocomplete="off" spellcheck={false} placeholder={say("typeMove")} aria-label={say("typeMove")} maxLength={20} /></form>;
}
