import type { BoardKind, DiagramStyle, GameName } from "../api";
import { gameOf } from "../games";

/** Signs of the games with a board of their own. */
const ICONS: Record<Exclude<BoardKind, "drawing">, preact.JSX.Element> = {
  fen: <path class="ink" d="M8 21h9.5c0-4-1.2-6.2-2.6-8 .5-3-.6-6.6-4.2-8.2L10.3 3 9 5.2C6.8 6.6 5 9.6 4.3 12.4l1.5 1.9 2-.5 1.6-1.5 1.4.2C9.7 15 8 17 8 21Z" />,
  sfen: <><path class="wood" d="M12 2.5 18.6 5.5 21 21.5H3L5.4 5.5Z" /><path class="line" d="M8 9h8M8.5 13h7M7.5 17.5h9M12 9v8.5" /></>,
  stones: <><circle class="ink" cx="8.8" cy="9.5" r="6.3" /><circle class="pale" cx="15.7" cy="15.2" r="6.3" /></>,
};

/** A small sign for a game. */
export function GameIcon({ game }: { game: GameName }) {
  const { board = "drawing", diagram_style: style = "grid", middle = [] } = gameOf(game) ?? {};
  return <svg class="game-icon" viewBox="0 0 24 24" aria-hidden="true">{board !== "drawing" ? ICONS[board] : <Sketch style={style} middle={middle} />}</svg>;
}

const GROUNDS: Record<DiagramStyle, preact.JSX.Element> = {
  checkered: <><path class="line" d="M2.5 2.5h19v19h-19Z" /><path class="ink faint" d="M2.5 2.5h6.3v6.3h6.4v6.4h6.3v6.3h-6.3v-6.3H8.8V8.8H2.5Zm12.7 0h6.3v6.3h-6.3ZM2.5 15.2h6.3v6.3H2.5Z" /></>,
  grid: <path class="line" d="M2.5 2.5h19v19h-19ZM2.5 8.8h19M2.5 15.2h19M8.8 2.5v19M15.2 2.5v19" />,
  points: <path class="line" d="M1 5.6h22M1 12h22M1 18.4h22M5.6 1v22M12 1v22M18.4 1v22" />,
  hexagons: <path class="line" d="M12 1.5 21 6.7v10.6L12 22.5 3 17.3V6.7Z" />,
  text: <path class="line" d="M4 6h16M4 10.5h11M4 15h16M4 19.5h8" />,
};

/** The ground of a game's board, and what stands in its middle at the start; two stones where nothing does. */
function Sketch({ style, middle }: { style: DiagramStyle; middle: string[] }) {
  const near = middle.flatMap((line, row) => [...line].map((sign, column) => ({ side: "xo".indexOf(sign), column, row }))).filter(({ side }) => side >= 0);
  const shown = near.length ? near : [{ side: 0, column: 0.8, row: 1.2 }, { side: 1, column: 1.6, row: 0.7 }];
  return <>{GROUNDS[style]}{style !== "text" && shown.map(({ side, column, row }, at) => <circle key={at} class={side === 0 ? "ink" : "pale"} cx={5.6 + 6.4 * column} cy={5.6 + 6.4 * row} r={near.length ? 2.9 : 4.2} />)}</>;
}
