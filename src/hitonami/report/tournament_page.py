"""A tournament's standings as one self-contained page."""

from collections import Counter
from collections.abc import Callable

from hitonami.matches.standings import Standings, elo_of
from hitonami.report.page import page, plots, section, table
from hitonami.report.plots import bars
from hitonami.report.rating_plots import expected_against_actual, rating_dots
from hitonami.report.tournament import lead_of, names_of, percent, scale_of


def as_page(standings: Standings) -> str:
    """The whole page."""
    plan = standings.event.plan
    return page(
        f"Tournament: {plan.game}",
        lead_of(standings),
        section("Ratings", plots([_ratings(standings)]), _rating_table(standings)),
        section("Against each other", _cross_table(standings)),
        section("Likelihood that the row's player is the stronger", _superiority_table(standings)),
        section("Expected and actual scores", *_expectations(standings)),
        section("How games ended", plots([bars("Endings", Counter(standings.endings), "games")]), *_notes(standings)),
        footer=f"{plan.games} games a pair, seed {plan.seed}; Elo scale: {scale_of(standings)}",
    )


def _ratings(standings: Standings) -> str:
    names, fit = names_of(standings), standings.fit
    rows = [(names[at], float(fit.ratings[at]), *fit.interval(at)) for at in standings.order]
    told = [elo_of(standings.event.plan.entrants[at]) for at in standings.order]
    comparable = None not in told or standings.anchors
    given = told if comparable else [None] * len(told)
    squares = "; squares: as given" if comparable and any(each is not None for each in told) else ""
    return rating_dots("Elo with 95% intervals", rows, given, f"Elo ({scale_of(standings)}){squares}")


def _rating_table(standings: Standings) -> str:
    names = names_of(standings)
    rows = []
    for at in standings.order:
        total, rating = standings.totals[at], standings.event.plan.entrants[at].rating
        low, high = standings.fit.interval(at)
        given = "–" if rating is None else f"{rating:g}"
        rating_text = f"{standings.fit.ratings[at]:.0f} ({low:.0f} … {high:.0f})"
        rows.append([names[at], rating_text, given, total.games, percent(total), total.wins, total.draws, total.losses])
    return table(["player", "Elo", "given", "games", "score", "won", "drawn", "lost"], rows)


def _each_against_each(standings: Standings, cell: Callable[[int, int], str]) -> str:
    names, order = names_of(standings), standings.order
    rows = [[f"{place} {names[at]}", *(cell(at, to) for to in order)] for place, at in enumerate(order, start=1)]
    return table(["", *(str(place) for place in range(1, len(order) + 1))], rows)


def _cross_table(standings: Standings) -> str:
    def met(at: int, to: int) -> str:
        each = standings.cross.get((at, to))
        return "–" if each is None else f"+{each.wins} ={each.draws} −{each.losses}"

    return _each_against_each(standings, met)


def _superiority_table(standings: Standings) -> str:
    return _each_against_each(standings, lambda at, to: "–" if at == to else f"{standings.fit.superiority(at, to):.1%}")


def _expectations(standings: Standings) -> list[str]:
    names, rows = names_of(standings), []
    for each in standings.comparisons:
        given = "–" if each.expected is None else f"{each.expected:.3f}"
        low, high = each.interval
        actual = f"{each.actual:.3f} ({low:.3f} … {high:.3f})"
        rows.append([names[each.one], names[each.other], each.score.games, actual, given, f"{each.fitted:.3f}"])
    told = [(each.expected, each.actual, *each.interval) for each in standings.comparisons if each.expected is not None]
    fitted = [(each.fitted, each.actual, *each.interval) for each in standings.comparisons]
    pictures = [expected_against_actual("By the given ratings", told)] if told else []
    blocks = [
        plots([*pictures, expected_against_actual("By the fitted ratings", fitted)]),
        table(["player", "against", "games", "actual", "by given ratings", "by fitted ratings"], rows),
    ]
    if (found := standings.nominal) is not None:
        rough = " Some cells are small: the p-value is rough." if found.is_rough else ""
        blocks.append(
            f"<p>Wins, draws and losses against the given ratings: χ² = {found.statistic:.2f}, {found.degrees} degrees "
            f"of freedom, p = {found.p_value:.3g}.{rough}</p>"
        )
    return blocks


def _notes(standings: Standings) -> list[str]:
    names, blocks = names_of(standings), []
    if standings.repeated:
        blocks.append(f"<p>{standings.repeated:,} games repeat an earlier one move for move.</p>")
    if standings.forfeits:
        rows = [[names[at], count, why] for (at, why), count in Counter(standings.forfeits).items()]
        blocks.append(table(["forfeited by", "games", "because"], rows))
    return blocks
