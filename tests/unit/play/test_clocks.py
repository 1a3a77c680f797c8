"""Clocks: what is left, what is renewed, when a flag falls."""

import pytest

from hitonami.core import open_game, turns_of
from hitonami.errors import BadInput
from hitonami.play.clocks import TimeControl, Watch, read_control


class Wall:
    """A clock on the wall that a test turns."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def _watch(control: str, wall: Wall, *left: float) -> Watch:
    found = read_control(control)
    assert found is not None
    return Watch(found, _turns(len(left)), left, wall)


def _turns(ply: int) -> tuple[int, ...]:
    """Of a game whose sides alternate, after so many moves."""
    return tuple(at % 2 for at in range(ply + 1))


@pytest.mark.parametrize("text", ["300+3", "600+30/1", "0+10/1", "60+0"])
def test_controls_are_written_as_they_are_read(text: str) -> None:
    assert str(read_control(text)) == text


@pytest.mark.parametrize("text", ["5", "5+", "-5+3", "0+0", "300+3/2", "1e9+1", "３００+3", "3000000+1"])
def test_what_is_no_control_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_control(text)


def test_first_moves_are_free_and_later_ones_cost_their_time() -> None:
    wall = Wall()
    watch = _watch("60+2", wall)
    for ply, seconds in enumerate((100.0, 100.0, 10.0, 5.0), start=1):
        wall.seconds += seconds
        watch = watch.noted(_turns(ply), wall())
    assert watch.left == (62.0, 62.0, 54.0, 59.0)
    wall.seconds += 4.0
    assert watch.shown() == (50.0, 59.0)
    assert watch.clock().remaining_seconds == 54.0


def test_a_flag_falls_once_the_time_is_used() -> None:
    wall = Wall()
    watch = _watch("60+0", wall, 60.0, 60.0)
    wall.seconds += 60.0
    assert not watch.fallen()
    wall.seconds += 0.1
    assert watch.fallen()
    assert watch.shown() == (0.0, 60.0)


def test_byoyomi_is_renewed_by_each_move() -> None:
    wall = Wall()
    watch = _watch("10+30/1", wall, 0.0, 10.0)
    for ply in (3, 5, 7):
        wall.seconds += 29.0
        assert not watch.fallen()
        assert watch.shown()[0] == 1.0
        watch = watch.noted(_turns(ply), wall())
        watch = watch.noted(_turns(ply + 1), wall())
    wall.seconds += 30.5
    assert watch.fallen()


def test_taking_back_gives_the_time_back() -> None:
    wall = Wall()
    watch = _watch("60+0", wall, 60.0, 60.0)
    wall.seconds += 20.0
    watch = watch.noted(_turns(3), wall())
    watch = watch.noted(_turns(4), wall())
    assert watch.remaining(0) == 40.0
    watch = watch.noted(_turns(2), wall())
    assert watch.remaining(0) == 60.0
    assert watch.spent() == 0.0


def test_only_another_number_of_moves_begins_a_turn() -> None:
    """An offer of a draw, a change of the pace: whatever is stored meanwhile, the time runs on."""
    wall = Wall()
    watch = _watch("60+0", wall, 60.0, 60.0)
    for _ in range(29):
        wall.seconds += 2.0
        watch = watch.noted(_turns(2), wall())
    assert watch.spent() == 58.0
    assert watch.shown() == (2.0, 60.0)
    wall.seconds += 2.5
    assert watch.fallen()


def test_players_see_their_own_clock() -> None:
    watch = Watch(TimeControl(60, 0, 10), (1, 0, 1, 0), (50.0, 40.0, 30.0))
    clock = watch.clock()
    assert (clock.remaining_seconds, clock.opponent_seconds, clock.byoyomi_seconds) == (40.0, 30.0, 10)


def test_clocks_tell_what_the_last_moves_took() -> None:
    free = Watch(TimeControl(60, 2), (0, 1, 0), (60.0, 60.0)).clock()
    assert (free.spent_seconds, free.opponent_spent_seconds, free.usual_seconds) == (None, None, None)
    clock = Watch(TimeControl(60, 2), (0, 1, 0, 1, 0, 1, 0), (60.0, 60.0, 57.0, 50.0, 57.0, 51.0)).clock()
    assert (clock.spent_seconds, clock.opponent_spent_seconds) == (2.0, 1.0)
    assert clock.usual_seconds == pytest.approx((5.5 * 2.5) ** 0.5 - 0.5)
    assert clock.swapped().spent_seconds == 1.0
    late = Watch(TimeControl(60, 0, 10), (0, 1, 0, 1, 0), (20.0, 20.0, 0.0, 5.0)).clock()
    assert (late.spent_seconds, late.opponent_spent_seconds) == (None, 15.0)


def test_who_is_to_move_comes_from_the_position(game_in_one_file: str) -> None:
    """One stone for Black, then two for each side: what a move took is its own side's time."""
    wall = Wall()
    position = open_game(game_in_one_file).start()
    watch = Watch(TimeControl(60), turns_of(position), (), wall)
    for seconds, text in ((9.0, "d4"), (9.0, "a1"), (5.0, "a2"), (7.0, "b1"), (8.0, "b2")):
        wall.seconds += seconds
        position = position.play(position.game.parse(position, text))
        watch = watch.noted(turns_of(position), wall())
    assert turns_of(position) == (0, 1, 1, 0, 0, 1)
    assert watch.left == (60.0, 60.0, 55.0, 53.0, 45.0)  # each side's first stone is free
    wall.seconds += 3.0
    assert watch.shown() == (45.0, 52.0)
    assert watch.clock().remaining_seconds == 55.0
