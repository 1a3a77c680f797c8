import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api";

const FIRST_PAUSE_MILLISECONDS = 500;
const TRIES = 5;  // the pauses double: 15 seconds in all
const OUT_OF_STEP = 409;
/** What passes by itself: too many requests, a server that is just starting or ending, one that has gone. */
const PASSING = new Set([429, 502, 503, 504]);

const passes = (problem: Error) => !(problem instanceof Refused) || PASSING.has(problem.status);
const pause = (milliseconds: number) => new Promise((done) => { setTimeout(done, milliseconds); });

/** "trying": the server does not answer and is asked again; "gone": it was asked often enough. */
export type Line = "open" | "trying" | "gone";
export interface Live<T> {
  state: T | null;
  /** The name of the change that is on its way, "" for one without a name, null for none. */
  sent: string | null;
  /** The server's refusal of the last change. */
  wrong: Refused | null;
  line: Line;
  /** Ask the server to change it. One change at a time: a second one meanwhile is not sent. */
  change: (work: () => Promise<T>, name?: string) => Promise<T | null>;
  /** Fetch it anew. */
  look: () => void;
}

/**
 * Something that the server keeps and others may change too: a game, a trial. `fetchIt` shows it, `awaitIt` waits for a change that
 * somebody else owes, or is null where nobody does. A refusal for being out of step (409) means that what is shown here is old: it is
 * fetched, and that is all. A server that does not answer is asked again, with longer and longer pauses.
 */
export function useLive<T>(key: string, fetchIt: () => Promise<T>, awaitIt: (state: T) => (() => Promise<T>) | null): Live<T> {
  const [state, setState] = useState<T | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const [wrong, setWrong] = useState<Refused | null>(null);
  const [line, setLine] = useState<Line>("open");
  const round = useRef(0);  // an answer that was asked for in an earlier round comes too late
  const busy = useRef(false);

  const take = useCallback((next: T) => { round.current += 1; setState(next); setLine("open"); setWrong(null); }, []);
  /** Ask until there is an answer, a refusal or no hope. What failed to come is looked for from then on: a wait would hide that the server is back. */
  const insist = useCallback(async (ask: () => Promise<T>) => {
    const mine = ++round.current;
    for (let tried = 0; ; tried++) {
      try {
        const next = await (tried ? fetchIt : ask)();
        if (mine === round.current) take(next);
        return;
      } catch (problem) {
        if (mine !== round.current) return;
        if (problem instanceof Refused) setWrong(problem.status === OUT_OF_STEP ? null : problem);
        if (!passes(problem as Error)) { setLine("open"); return; }
        setLine(tried < TRIES ? "trying" : "gone");
        if (tried >= TRIES) return;
        await pause(FIRST_PAUSE_MILLISECONDS * 2 ** tried);
        if (mine !== round.current) return;
      }
    }
  }, [key]);
  const look = useCallback(() => { void insist(fetchIt); }, [key]);

  useEffect(() => { setState(null); look(); return () => { round.current += 1; }; }, [key]);
  useEffect(() => {
    const owed = state === null ? null : awaitIt(state);
    if (owed) void insist(owed);
  }, [state]);
  useEffect(() => {  // another tab may have gone on, or the machine slept
    const back = () => { if (document.visibilityState === "visible" && !busy.current) look(); };
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, [look]);

  const change = useCallback(async (work: () => Promise<T>, name = "") => {
    if (busy.current) return null;
    busy.current = true;
    setSent(name);
    setWrong(null);
    try {
      const next = await work();
      take(next);
      return next;
    } catch (problem) {
      if (problem instanceof Refused && problem.status !== OUT_OF_STEP) setWrong(problem);
      else await insist(fetchIt);
      return null;
    } finally {
      busy.current = false;
      setSent(null);
    }
  }, [key]);
  return { state, sent, wrong, line, change, look };
}
