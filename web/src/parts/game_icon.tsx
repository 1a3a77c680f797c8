import type { GameName } from "../api";

/** A small sign for each game. */
export function GameIcon({ game }: { game: GameName }) {
  return (
    <svg class="game-icon" viewBox="0 0 24 24" aria-hidden="true">
      {game === "chess" && <path class="ink" d="M8 21h9.5c0-4-1.2-6.2-2.6-8 .5-3-.6-6.6-4.2-8.2L10.3 3 9 5.2C6.8 6.6 5 9.6 4.3 12.4l1.5 1.9 2-.5 1.6-1.5 1.4.2C9.7 15 8 17 8 21Z" />}
      {game === "shogi" && <><path class="wood" d="M12 2.5 18.6 5.5 21 21.5H3L5.4 5.5Z" /><path class="line" d="M8 9h8M8.5 13h7M7.5 17.5h9M12 9v8.5" /></>}
      {game === "go" && <><circle class="ink" cx="8.8" cy="9.5" r="6.3" /><circle class="pale" cx="15.7" cy="15.2" r="6.3" /></>}
    </svg>
  );
}
