"""DATA by its names: the package's own games are data like any other."""

import pytest

from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadData


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
def test_sample_games_come_with_the_package_and_are_games_of_bots(game: str) -> None:
    records = [found.record for found in open_data([f"sample:{game}"], game).games(Tally())]
    assert len(records) >= 20
    assert {player.kind for record in records for player in record.players} == {"bot"}
    assert all(player.name is None and player.rating is not None for record in records for player in record.players)


def test_samples_of_a_game_that_has_none_are_refused_by_name() -> None:
    with pytest.raises(BadData, match=r"no sample games of 'ches' come with the package; did you mean chess\?"):
        open_data(["sample:ches"], "chess")
