/** What this browser remembers of the quiz. */
export interface Score { streak: number; best: number; seen: string[] }
const NOTHING: Score = { streak: 0, best: 0, seen: [] };

export function heldScore(): Score {
  try {
    return { ...NOTHING, ...(JSON.parse(localStorage.getItem("quiz") ?? "{}") as Partial<Score>) };
  } catch {
    return NOTHING;
  }
}
/** One more game is answered. */
export function countAnswer(id: string, right: boolean): Score {
  const before = heldScore(), streak = right ? before.streak + 1 : 0;
  const score = { streak, best: Math.max(before.best, streak), seen: [...before.seen.filter((each) => each !== id), id] };
  localStorage.setItem("quiz", JSON.stringify(score));
  return score;
}
/** Any game that was not seen; once all were, any but the latest half. */
export function pickGame<T extends { id: string }>(games: T[], seen: string[]): T | null {
  const fresh = games.filter(({ id }) => !seen.includes(id)), late = seen.slice(-Math.floor(games.length / 2));
  const choice = fresh.length ? fresh : games.filter(({ id }) => !late.includes(id));
  return choice[Math.floor(Math.random() * choice.length)] ?? null;
}
