"""A tournament's standings as one self-contained page."""

from collections import Counter

from hitonami.matches.standings import Standings, elo_of
from hitonami.report import tournament
from hitonami.report.page import headed, page, paragraph, plots, section
from hitonami.report.plots import bars
from hitonami.report.rating_plots import expected_against_actual, rating_dots


def as_page(standings: Standings) -> str:
    """The whole page."""
    plan = standings.event.plan
    return page(
        f"Tournament: {plan.game}",
        tournament.lead_of(standings),
        section("Ratings", plots([_ratings(standings)]), headed(tournament.rating_rows(standings))),
        section(tournament.AGAINST.capitalize(), headed(tournament.cross_rows(standings))),
        section("Expected and actual scores", _score_plots(standings), headed(tournament.expectation_rows(standings))),
        section("How games ended", plots([bars("Endings", Counter(standings.endings), "games")])),
        *map(paragraph, tournament.notes(standings)),
        footer=f"{plan.games} games a pair, seed {plan.seed}; Elo scale: {tournament.scale_of(standings)}",
    )


def _ratings(standings: Standings) -> str:
    names, fit = tournament.names_of(standings), standings.fit
    rows = [(names[at], float(fit.ratings[at]), *fit.interval(at)) for at in standings.order]
    told = [elo_of(standings.event.plan.entrants[at]) for at in standings.order]
    comparable = None not in told or standings.anchors
    given = told if comparable else [None] * len(told)
    squares = "; squares: as given" if comparable and any(each is not None for each in told) else ""
    return rating_dots("Elo with 95% intervals", rows, given, f"Elo ({tournament.scale_of(standings)}){squares}")


def _score_plots(standings: Standings) -> str:
    told = [(each.expected, each.actual, *each.interval) for each in standings.comparisons if each.expected is not None]
    fitted = [(each.fitted, each.actual, *each.interval) for each in standings.comparisons]
    pictures = [expected_against_actual("By the given ratings", told)] if told else []
    return plots([*pictures, expected_against_actual("By the fitted ratings", fitted)])
