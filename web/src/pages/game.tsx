import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { act, beginGame, type Board, type Chances, fetchChances, fetchGame, fetchHint, type GameState, type Hint, type Info, markDead, type NewGame, recordAddress, sendMove, setPace } from "../api";
import { AnyBoard, type Mark } from "../boards/board";
import { Bars } from "../parts/bars";
import { ClockFace } from "../parts/clock";
import { follow, visit } from "../parts/route";
import { WinBar } from "../parts/win_bar";
import { say, sayLevel, saySide, sayStyle, type Word } from "../words";

const NO_MARKS: Mark[] = [];

export function GamePage({ id, info }: { id: string; info: Info }) {
  const [state, setState] = useState<GameState | null>(null);
  const [wrong, setWrong] = useState("");
  const [hint, setHint] = useState<Hint | null>(null);
  const [chances, setChances] = useState<Chances | null>(null);
  const [flipped, setFlipped] = useState(false);
  const [asking, setAsking] = useState(false);
  const asked = useRef("");

  const take = useCallback((next: GameState) => { setState(next); setHint(null); setWrong(""); setAsking(false); }, []);
  const fail = useCallback((problem: Error) => setWrong(problem.message), []);
  const attempt = useCallback((work: Promise<GameState>) => { work.then(take, fail); }, [take, fail]);

  useEffect(() => { setState(null); attempt(fetchGame(id)); }, [id, attempt]);
  useEffect(() => {
    if (state === null || state.outcome !== null) return;
    if (!state.your_turn) {
      // A reply that comes after the visitor took back, or left for another game, is of no use here.
      const meant = (asked.current = `${state.id} ${state.ply} ${Math.random()}`);
      act(state.id, "answer").then((next) => { if (asked.current === meant) take(next); }, (problem: Error) => { if (asked.current === meant) fail(problem); });
      return () => { asked.current = ""; };
    }
    let wanted = true;
    fetchChances(state.id).then((next) => { if (wanted) setChances(next); }, () => setChances(null));
    return () => { wanted = false; };
  }, [state, take, fail]);

  const play = useCallback((move: string) => {
    if (state === null) return;
    setHint(null);
    sendMove(state.id, move, state.ply).then(take, (problem: Error) => {
      fail(problem);
      setState({ ...state, board: { ...state.board } });  // the board shows what the server has
    });
  }, [state, take, fail]);
  const showHint = () => { if (state?.your_turn) fetchHint(state.id).then(setHint, fail); };
  const keys: Record<string, () => void> = {
    h: showHint,
    u: () => { if (state && state.ply > 0) attempt(act(state.id, "undo")); },
    f: () => setFlipped(!flipped),
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement) return;
      keys[event.key.toLowerCase()]?.();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  const flag = useCallback(() => attempt(fetchGame(id)), [id, attempt]);
  const toggleDead = (vertex: string) => {
    if (state === null) return;
    const chain = chainOf(state.board, vertex), dead = state.board.dead.filter((each) => !chain.has(each));
    attempt(markDead(state.id, dead.length < state.board.dead.length ? dead : [...dead, ...chain]));
  };

  if (state === null) return <main class="table"><p class="wrong" role="alert">{wrong}</p></main>;
  const bottom = flipped ? 1 - state.you : state.you;
  const marks = hint ? hint.moves.map(({ move, probability }) => ({ move, share: probability })) : NO_MARKS;
  const scale = info.games.find((each) => each.name === state.game)!.scale;
  const level = state.rating === null ? "" : sayLevel(scale.kind, state.rating);
  const levelled = state.judge.follows_level;
  const first = saySide(state.game, state.sides[0]);
  const counted = state.board.owners !== "";
  const face = (side: number) => state.clock && <ClockFace clock={state.clock} side={side} turn={state.outcome ? -1 : state.board.to_move} onEnd={flag} />;
  return (
    <main class="table" data-ply={state.ply} data-turn={state.outcome ? "over" : state.your_turn ? "you" : "them"}>
      <div class="board-column">
        <PlayerLine name={sayStyle(state.style.name)} note={state.style.follows_level ? `${level} ${state.pool}` : state.style.mind.split(" ")[0]!} side={saySide(state.game, state.sides[1 - state.you]!)} busy={!state.outcome && !state.your_turn} captures={state.game === "go" ? state.board.captures[1 - state.you] : undefined} clock={face(1 - state.you)} />
        <AnyBoard game={state.game} board={state.board} bottom={bottom} movable={state.your_turn} marks={marks} onMove={play} onStone={counted ? toggleDead : undefined} />
        <PlayerLine name={say("you")} note="" side={saySide(state.game, state.sides[state.you]!)} busy={false} captures={state.game === "go" ? state.board.captures[state.you] : undefined} clock={face(state.you)} />
      </div>
      <aside class="panel side">
        <p class="status" role="status" aria-live="polite">{state.outcome ? <Verdict state={state} /> : state.your_turn ? say("yourTurn") : say("thinking")}</p>
        <WinBar sides={[first, saySide(state.game, state.sides[1])]} chances={state.outcome ? { score: state.outcome.score, win: null, draw: null, loss: null } : chances} label={`${first}: ${say(levelled ? "chancesAt" : "chancesOwn")}`} darkFirst={state.game === "go"} />
        <p class="bar-caption"><span>{say(levelled ? "chancesAt" : "chancesOwn")}</span>{levelled && <span>{level} {state.pool}</span>}</p>
        {wrong && <p class="wrong" role="alert">{wrong}</p>}
        {counted && <p class="note">{say("markDead")}</p>}
        {state.offered && <div class="buttons offer"><span>{say("offered")}</span> <button type="button" onClick={() => attempt(act(state.id, "draw"))}>{say("accept")}</button></div>}
        {state.outcome && <div class="buttons"><a class="button main" href={`/review?game=${state.id}&kind=${state.game}`}>{say("reviewGame")}</a>
          <button type="button" onClick={() => beginGame(swapped(state)).then((next) => visit(`/game/${next.id}`), fail)}>{say("again_")}</button></div>}
        {hint && (
          <section class="hint"><h2>{say(levelled ? "hintTitle" : "hintOwn")}</h2>
            <Bars bars={hint.moves.map(({ move, name, probability }) => ({ key: move, name, share: probability }))} onPick={state.your_turn ? play : undefined} />
          </section>
        )}
        <MoveList moves={state.moves} pairs={state.game === "chess"} />
        {!state.outcome && <TypedMove onMove={play} enabled={state.your_turn} />}
        <div class="buttons">
          <button type="button" onClick={showHint} disabled={!state.your_turn}>{say("hint")}</button>
          <button type="button" onClick={keys["u"]} disabled={state.ply === 0}>{say("takeBack")}</button>
          {state.game === "go" && <button type="button" onClick={() => play("pass")} disabled={!state.your_turn}>{say("pass")}</button>}
          {state.game !== "go" && <button type="button" disabled={!state.your_turn} onClick={() => act(state.id, "draw").then((next) => { take(next); if (!next.outcome) setWrong(say("declined")); }, fail)}>{state.claim ? `${say("claim")}: ${state.claim}` : say("draw")}</button>}
          {!state.outcome && !asking && <button type="button" onClick={() => setAsking(true)}>{say("resign")}</button>}
          {state.game !== "go" && <button type="button" onClick={keys["f"]}>{say("flip")}</button>}
          {!state.outcome && <button type="button" onClick={() => setPace(state.id, state.pace === "human" ? "instant" : "human").then((next) => setState({ ...state, pace: next.pace }), fail)}>{say(state.pace === "human" ? "atOnce" : "likePerson")}</button>}
        </div>
        {asking && <div class="buttons asking" role="alertdialog" aria-label={say("sureResign")}><span>{say("sureResign")}</span>
          <button type="button" onClick={() => attempt(act(state.id, "resign"))}>{say("yes")}</button><button type="button" onClick={() => setAsking(false)}>{say("no")}</button></div>}
        <p class="links">
          {info.games.find((each) => each.name === state.game)!.formats.map((kind) => <a key={kind} href={recordAddress(state.id, kind)} download>{say("save")} {kind.toUpperCase()}</a>)}
          <a href="/" onClick={follow}>{say("again")}</a>
        </p>
        <p class="keys">{say("shortcuts")}</p>
      </aside>
    </main>
  );
}

/** The same game again with the sides changed; the clock is the one that was chosen last, where there was one. */
function swapped({ game, board, you, rating, pool, style, pace, clock }: GameState): NewGame {
  const kept = JSON.parse(localStorage.getItem("newGame") ?? "{}") as Partial<NewGame>;
  const control = clock !== null && kept.game === game ? kept.time_control ?? "" : "";
  return { game, size: game === "go" ? board.size : 0, side: you === 0 ? "second" : "first", rating: rating!, pool, style: style.name, pace, time_control: control };
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
  return <><b>{say(word)}</b> <small>{reason}</small></>;
}

function MoveList({ moves, pairs }: { moves: string[]; pairs: boolean }) {
  const end = useRef<HTMLOListElement>(null);
  useEffect(() => { end.current?.scrollTo({ top: end.current.scrollHeight }); }, [moves.length]);
  return (
    <ol class={`moves ${pairs ? "pairs" : ""}`} ref={end} tabIndex={0} aria-label={say("moves")}>
      {moves.map((move, at) => <li key={at} class={at === moves.length - 1 ? "latest" : ""}>{(!pairs || at % 2 === 0) && <i>{pairs ? at / 2 + 1 : at + 1}</i>}<span>{move}</span></li>)}
    </ol>
  );
}

function TypedMove({ onMove, enabled }: { onMove: (move: string) => void; enabled: boolean }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("move") as HTMLInputElement;
    if (field.value.trim() && enabled) onMove(field.value.trim());
    field.value = "";
  };
  return <form class="typed" onSubmit={submit}><input name="move" autocomplete="off" spellcheck={false} placeholder={say("typeMove")} aria-label={say("typeMove")} maxLength={20} /></form>;
}
