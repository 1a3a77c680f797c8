"""Which opponents are offered, and on what scale."""

import pytest

from hitonami.errors import BadInput
from hitonami.models.shipped import shipped_models
from hitonami.specs import mind_spec
from hitonami.web.opponents import GAMES, level_style_of, scale_of, style_of, styles_of


@pytest.mark.parametrize("game", GAMES)
def test_every_style_names_a_mind_that_can_be_built(game: str) -> None:
    for style in styles_of(game):
        assert mind_spec(style.mind)
        assert style_of(game, style.name) is style
    assert style_of(game, "random").mind == "uniform"


@pytest.mark.parametrize("game", GAMES)
def test_the_human_network_comes_first_where_it_exists(game: str) -> None:
    shipped = game in shipped_models("human")
    assert (style_of(game, "").name == "human") is shipped
    judge = level_style_of(game)
    assert (judge is not None) is shipped


@pytest.mark.parametrize("game", GAMES)
def test_the_usual_level_is_on_the_dial(game: str) -> None:
    scale = scale_of(game)
    assert scale.low <= scale.default <= scale.high
    assert scale.pools


@pytest.mark.parametrize("name", ["uci:sh -c true", "neural", "../../x", "HUMAN"])
def test_a_browser_cannot_name_a_mind_of_its_own(name: str) -> None:
    with pytest.raises(BadInput, match="style"):
        style_of("chess", name)
