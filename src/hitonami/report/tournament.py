"""A tournament's standings as text and as JSON. Computes nothing that the standings do not hold."""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hitonami.matches.elo import Anchor
from hitonami.matches.standings import Comparison, Standings, elo_of
from hitonami.report.text import aligned, titled

AGAINST = "against each other, and the likelihood that the row's player is the stronger"
ANCHORS = "anchors: as told, and as the games and the other anchors say (95% intervals)"
_FOLDERS = re.compile(r"[^\s:@]*/")


def as_lines(standings: Standings) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(standings)
    yield from aligned(rating_rows(standings))
    yield f"Elo scale: {scale_of(standings)}"
    if standings.without:
        yield from titled(ANCHORS, anchor_rows(standings))
    yield from titled(AGAINST, cross_rows(standings))
    yield from titled("score of the first of each pair", expectation_rows(standings))
    yield "endings: " + ", ".join(f"{name} {count:,}" for name, count in standings.endings.items())
    yield from notes(standings)


def lead_of(standings: Standings) -> str:
    plan = standings.event.plan
    kind = "gauntlet" if plan.gauntlet else "round robin"
    fit = standings.fit
    return (
        f"{plan.game}, {kind}, {len(standings.event.games):,} games; the first side scored "
        f"{standings.first_score:.1%}, worth {fit.advantage:+.0f} ± {1.96 * fit.advantage_error:.0f} Elo"
    )


def names_of(standings: Standings) -> list[str]:
    """The entrants' names, without the folders of files where they differ without them."""
    names = [entrant.name for entrant in standings.event.plan.entrants]
    short = [_FOLDERS.sub("", name) for name in names]
    return short if len(set(short)) == len(names) else names


def scale_of(standings: Standings) -> str:
    """What the ratings are relative to."""
    names = names_of(standings)
    if standings.anchors:
        return "anchored: " + ", ".join(f"{names[at]} = {_told(each)}" for at, each in standings.anchors.items())
    given = [elo_of(entrant) for entrant in standings.event.plan.entrants]
    return "mean 0" if None in given else "mean that of the given ratings"


def _told(anchor: Anchor) -> str:
    return f"{anchor.elo:g}" + (f" ± {anchor.error:g}" if anchor.error else "")


def anchor_rows(standings: Standings) -> list[list[str]]:
    """A head, then a row for each anchor."""
    rows = [["player", "told", "by the others", "apart by"]]
    for at, other in standings.without.items():
        told = standings.anchors[at]
        spans = [f"{each.elo:.0f}{_interval_of(each)}" for each in (told, other)]
        errors = math.hypot(told.error, other.error)
        apart = f"{(other.elo - told.elo) / errors:+.1f} standard errors" if errors else "–"
        rows.append([names_of(standings)[at], *spans, apart])
    return rows


def _interval_of(anchor: Anchor) -> str:
    half = 1.96 * anchor.error
    return f" ({anchor.elo - half:.0f} … {anchor.elo + half:.0f})" if half else ""


def rating_rows(standings: Standings) -> list[list[str]]:
    """A head, then a row for each player, the strongest first."""
    rows = [["player", "games", "Elo (95% interval)", "given", "score", "won / drawn / lost"]]
    for at in standings.order:
        low, high = standings.fit.interval(at)
        total, rating = standings.totals[at], standings.event.plan.entrants[at].rating
        elo = f"{standings.fit.ratings[at]:.0f} ({low:.0f} … {high:.0f})"
        score = f"{total.points / total.games:.1%}" if total.games else "–"
        told = ["–" if rating is None else f"{rating:g}", score, f"{total.wins} / {total.draws} / {total.losses}"]
        rows.append([names_of(standings)[at], f"{total.games:,}", elo, *told])
    return rows


def cross_rows(standings: Standings) -> list[list[str]]:
    """Won, drawn and lost against each other, and the chance that the row's player is the stronger."""
    names, order = names_of(standings), standings.order
    rows = [["", *(str(place) for place in range(1, len(order) + 1))]]
    for place, at in enumerate(order, start=1):
        rows.append([f"{place} {names[at]}", *(_cross_cell(standings, at, to) for to in order)])
    return rows


def _cross_cell(standings: Standings, at: int, to: int) -> str:
    if at == to:
        return "·"
    met = standings.cross.get((at, to))
    points = f"+{met.wins} ={met.draws} −{met.losses}, " if met else ""
    return f"{points}{standings.fit.superiority(at, to):.0%}"


def expectation_rows(standings: Standings) -> list[list[str]]:
    """A head, then a row for each pair."""
    names = names_of(standings)
    rows = [["pair", "games", "actual", "by given ratings", "by fitted ratings"]]
    for each in standings.comparisons:
        actual = f"{each.actual:.3f} ({each.interval[0]:.3f} … {each.interval[1]:.3f})"
        told = [actual, "–" if each.expected is None else f"{each.expected:.3f}", f"{each.fitted:.3f}"]
        rows.append([f"{names[each.one]} – {names[each.other]}", f"{each.score.games:,}", *told])
    return rows


def notes(standings: Standings) -> Iterator[str]:
    """What a reader of the tables should know."""
    if not standings.fit.is_bounded:
        yield "some player won or lost every game: each pair was given one virtual game, half won and half lost"
    if (found := standings.nominal) is not None:
        rough = "; some cells are small, the p-value is rough" if found.is_rough else ""
        yield (
            f"wins, draws and losses against the given ratings: chi-square {found.statistic:.2f}, "
            f"{found.degrees} degrees of freedom, p = {found.p_value:.3g}{rough}"
        )
    if standings.repeated:
        yield f"{standings.repeated:,} games repeat an earlier one move for move: intervals are too narrow"
    for (at, why), count in Counter(standings.forfeits).items():
        yield f"forfeited by {names_of(standings)[at]} ({count:,}): {why}"
    if (state := standings.event.sprt) is not None:
        yield (
            f"sequential test: {state.verdict}; log-likelihood ratio {state.ratio:.2f} "
            f"between {state.low:.2f} (H0) and {state.high:.2f} (H1)"
        )


def as_json(standings: Standings) -> dict[str, Any]:
    """The documented JSON (docs/tournaments.md)."""
    plan, fit, state = standings.event.plan, standings.fit, standings.event.sprt
    return {
        "game": plan.game,
        "games_per_pair": plan.games,
        "games": len(standings.event.games),
        "seed": plan.seed,
        "scale": scale_of(standings),
        "players": [_player_json(standings, at) for at in standings.order],
        "pairs": [_pair_json(standings, each) for each in standings.comparisons],
        "superiority": {
            name: {other: fit.superiority(at, to) for to, other in enumerate(names_of(standings)) if to != at}
            for at, name in enumerate(names_of(standings))
        },
        "first_side": {"score": standings.first_score, "elo": fit.advantage, "standard_error": fit.advantage_error},
        "draw_ratio": fit.draw_ratio,
        "is_bounded": fit.is_bounded,
        "given_ratings": _agreement_json(standings),
        "endings": standings.endings,
        "repeated_games": standings.repeated,
        "forfeits": [{"player": names_of(standings)[at], "reason": why} for at, why in standings.forfeits],
        "anchors": [
            {
                "player": names_of(standings)[at],
                "told": {"elo": anchor.elo, "error": anchor.error},
                "by_the_others": None if other is None else {"elo": other.elo, "error": other.error},
            }
            for at, anchor in standings.anchors.items()
            for other in (standings.without.get(at),)
        ],
        "sprt": None
        if state is None
        else {"verdict": state.verdict, "log_likelihood_ratio": state.ratio, "low": state.low, "high": state.high},
    }


def _player_json(standings: Standings, at: int) -> dict[str, Any]:
    entrant, total = standings.event.plan.entrants[at], standings.totals[at]
    low, high = standings.fit.interval(at)
    return {
        "player": entrant.name,
        "mind": entrant.mind.as_dict(),
        "given": entrant.rating,
        "draw": entrant.draw,
        "elo": {"value": float(standings.fit.ratings[at]), "low": low, "high": high},
        "games": total.games,
        "wins": total.wins,
        "draws": total.draws,
        "losses": total.losses,
    }


def _pair_json(standings: Standings, each: Comparison) -> dict[str, Any]:
    names = names_of(standings)
    gap, error = standings.fit.difference(each.one, each.other)
    return {
        "a": names[each.one],
        "b": names[each.other],
        "wins": each.score.wins,
        "draws": each.score.draws,
        "losses": each.score.losses,
        "score": {"value": each.actual, "low": each.interval[0], "high": each.interval[1]},
        "expected_by_given": each.expected,
        "expected_by_fit": each.fitted,
        "elo_difference": {"value": gap, "low": gap - 1.96 * error, "high": gap + 1.96 * error},
    }


def _agreement_json(standings: Standings) -> dict[str, Any] | None:
    found = standings.nominal
    if found is None:
        return None
    return {
        "chi_square": found.statistic,
        "degrees": found.degrees,
        "p_value": found.p_value,
        "is_rough": found.is_rough,
        "expected": [dict(zip(("wins", "draws", "losses"), row, strict=True)) for row in found.expected],
    }
