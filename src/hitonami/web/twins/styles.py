"""Twins as opponents."""

from hitonami.errors import BadInput
from hitonami.twins.store import check_name, find_twin, list_twins, path_of
from hitonami.web.styles import Style
from hitonami.web.twins import TWIN, store_of


def twin_style(name: str, visitor: str) -> Style:
    """As the machine's own user names it; others' by its file, which can start no program."""
    mind = f"{TWIN}{path_of(name, store_of(visitor))}" if visitor else f"{TWIN}{name}"
    return Style(f"{TWIN}{name}", mind, follows_level=False, named=True)


def find_twin_style(game: str, name: str, visitor: str) -> Style:
    """Raises BadInput where the visitor has no such twin of the game."""
    twin = find_twin(check_name(name.removeprefix(TWIN)), store_of(visitor))
    if twin.game != game:
        raise BadInput(f"the twin {twin.name} plays {twin.game}, not {game}")
    return twin_style(twin.name, visitor)


def twin_styles(visitor: str) -> dict[str, tuple[Style, ...]]:
    """The twins of a visitor, by game."""
    found: dict[str, tuple[Style, ...]] = {}
    for kept in list_twins(store_of(visitor)):
        if kept.twin is not None:
            found[kept.twin.game] = (*found.get(kept.twin.game, ()), twin_style(kept.name, visitor))
    return found
