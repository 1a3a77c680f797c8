"""A review as lines for the terminal. Computes nothing."""

from collections.abc import Iterator

from hitonami.customs import customs_of
from hitonami.dataset.groups import rank_name
from hitonami.report.text import aligned
from hitonami.review.steps import PhaseSummary, PlayerSummary, Review, ReviewedMove
from hitonami.strength.estimate import Estimate

_QUIET = ("usual", "unusual", "")
_LARGEST_RANK = 100.0
_FAR_RATING = 100.0
_FAR_RANKS = 2.0
_HEADS = ("move", "people", "chance", "loss", "better", "")


def level_text(rating: float | None) -> str:
    """A rating as a number, a rank as people write it."""
    if rating is None:
        return "–"
    return f"{rating:.0f}" if rating > _LARGEST_RANK else rank_name(round(rating))


def apart(review: Review) -> bool:
    """Whether the players' levels differ so much that chances between them say little about the moves."""
    if review.told is None:
        return False
    first, second = review.told
    return abs(first - second) >= (_FAR_RANKS if max(review.told) <= _LARGEST_RANK else _FAR_RATING)


def estimate_text(found: Estimate | None) -> str:
    if found is None:
        return "too few moves"
    rough = "" if found.calibrated else ", not calibrated"
    return f"{level_text(found.rating)} ({level_text(found.low)} … {level_text(found.high)}{rough})"


def number_text(review: Review, step: ReviewedMove) -> str:
    """As the game's people count: moves, or both sides' as one."""
    if not customs_of(review.game).pairs:
        return f"{step.ply + 1}."
    return f"{step.ply // 2 + 1}{'.' if step.side == 0 else '…'}"


def as_lines(review: Review, all_moves: bool = False) -> Iterator[str]:
    """Who played, the notable moves or all of them, the phases, and the turning points."""
    yield from _lead(review)
    shown = [step for step in review.steps if all_moves or step.label not in _QUIET]
    yield ""
    if shown:
        yield from aligned([_HEADS, *(_row(review, step) for step in shown)])
    else:
        yield "No move stands out."
    yield ""
    yield from aligned([_phase_heads(review), *_phase_rows(review)])
    if review.turning_points:
        turns = [review.steps[ply] for ply in review.turning_points]
        named = ", ".join(f"{number_text(review, step)} {step.name}" for step in turns)
        yield f"\nTurning points: {named}"


def _lead(review: Review) -> Iterator[str]:
    judge = review.judge or "nobody"
    nodes = f", {review.judge_nodes:,} nodes" if review.judge_nodes else ""
    for side, player in enumerate(review.players):
        yield f"{player.side}{f' {player.name}' if player.name else ''}{_level_of(review, side)}"
    scale = f"asked: {review.mind}" if review.told is None else f"pool {review.pool or 'unknown'}"
    yield f"{scale} ({review.told_because}); judge: {judge}{nodes}; {len(review.steps)} moves"
    if review.result:
        yield f"result: {review.result}"
    if review.broken:
        yield f"the record breaks here: {review.broken}"
    if review.unfinished:
        yield "interrupted: later moves are missing"


def _level_of(review: Review, side: int) -> str:
    """What is known of a player's level, "" where there are no levels."""
    if review.told is None:
        return ""
    player = review.players[side]
    said = "" if player.rating is None else f", rated {level_text(player.rating)}"
    return f"{said}: taken as {level_text(review.told[side])}; played like {estimate_text(player.estimate)}"


def _row(review: Review, step: ReviewedMove) -> tuple[str, ...]:
    better = step.best_name if step.loss is not None and step.loss >= 0.02 else ""
    return (
        f"{number_text(review, step)} {step.name}",
        f"{100 * step.probability:.0f}%",
        _span(step.chance_before, step.chance_after),
        "" if step.loss is None else f"{100 * step.loss:.0f}",
        better,
        step.label,
    )


def _span(before: float | None, after: float | None) -> str:
    return "" if before is None or after is None else f"{100 * before:.0f} → {100 * after:.0f}"


def _phase_heads(review: Review) -> tuple[str, ...]:
    judged = ("mean loss", "inaccurate", "mistakes", "blunders") if review.judge else ()
    return ("", "moves", "matched", *judged)


def _phase_rows(review: Review) -> Iterator[tuple[str, ...]]:
    for player in review.players:
        for part in player.phases:
            yield _phase_row(player, part, bool(review.judge))


def _phase_row(player: PlayerSummary, part: PhaseSummary, judged: bool) -> tuple[str, ...]:
    matched = "–" if part.matched is None else f"{100 * part.matched:.0f}%"
    loss = "–" if part.mean_loss is None else f"{100 * part.mean_loss:.1f}"
    costs = (loss, str(part.inaccuracies), str(part.mistakes), str(part.blunders)) if judged else ()
    return (f"{player.side}, {part.phase}", str(part.moves), matched, *costs)
