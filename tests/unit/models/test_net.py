"""The network: exact warm starts, blends by rating, boards of any size, conditioning that is smooth and sane."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from pydantic import ValidationError

from hitonami.core import Player, Position, Query, Setup, open_game
from hitonami.errors import BadModel, BadSpec
from hitonami.models.conditioning import soft_clip
from hitonami.models.importers.lc0 import import_lc0
from hitonami.models.layers import Board, Norm
from hitonami.models.net import Net, to_tensors
from hitonami.models.sessions import open_session
from hitonami.models.some_trunks import strongest
from hitonami.models.spec import NetSpec, shape_of
from hitonami.train.warm_start import start_from_files

RATINGS = [1100.0, 1500.0, 1900.0]
TINY = {"channels": 4, "blocks": 2, "squeeze": 2, "policy_channels": 4, "value_channels": 2, "value_hidden": 8}
RATED = {"name": "lc0-rated", "fields": {"pools": ["lichess", "fide"]}}
CONDITION = {"low": 600, "high": 2600, "hidden": 8}
Outputs = dict[str, NDArray[np.float32]]


def make_net(seed: int = 0, **fields: Any) -> Net:
    torch.manual_seed(seed)
    return Net(NetSpec(**{"encoder": RATED, "policy": "lc0", **TINY, **fields})).eval()


def ask(net: Net, queries: list[Query]) -> Outputs:
    arrays = net.spec.open_encoder().encode(queries)
    with torch.no_grad():
        return {name: out.numpy() for name, out in net(to_tensors(arrays, net.shape.names)).items()}


def shake(net: Net, seed: int = 0) -> Net:
    """Random weights everywhere, also where training starts from zero."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return net


@pytest.fixture
def files(write_network: Callable[..., Path]) -> list[Path]:
    return [write_network(f"net-{at}.pb.gz", seed=at) for at in range(len(RATINGS))]


@pytest.fixture
def positions(chess_positions: Callable[[int, int], list[Position]]) -> list[Position]:
    return chess_positions(20, 3)


def run_file(path: Path, queries: list[Query]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    planes = NetSpec(encoder={"name": "lc0"}, policy="lc0", **TINY).open_encoder().encode(queries)["planes"]  # type: ignore[arg-type]
    session = open_session(import_lc0(path)[1], 1)
    moves, chances = session.run(["policy", "wdl"], {"planes": planes})
    return moves, chances


def assert_close(found: NDArray[np.float32], wanted: NDArray[Any], share: float = 1e-5) -> None:
    """Equal but for a share of the largest logit: random networks have logits in the hundreds."""
    assert np.abs(found - wanted).max() <= share * np.abs(wanted).max()


def pooled(files: list[Path], width: float, **fields: Any) -> Net:
    gate = {"ratings": RATINGS, "width": width, "offsets": {"fide": 350}}
    net = make_net(**{"groups": 3, "gate": gate, "condition": CONDITION, "expert": True, **fields})
    start_from_files(net, files)
    return net


def test_each_trunk_is_the_network_it_came_from(files: list[Path], positions: list[Position]) -> None:
    net = pooled(files, width=20)  # so narrow that the nearest trunk has it all
    for path, rating in zip(files, RATINGS, strict=True):
        queries = [Query(position, Player(rating, "lichess"), Player(1800.0, "fide")) for position in positions]
        found, (moves, chances) = ask(net, queries), run_file(path, queries)
        results = torch.softmax(torch.from_numpy(found["wdl"]), 1).numpy()
        assert_close(found["human"], moves)
        np.testing.assert_allclose(results, chances, atol=1e-3)


def test_four_real_networks_in_one_are_themselves(
    need_network: Callable[[str], Path], positions: list[Position]
) -> None:
    levels = (1100, 1500, 1900, 2200)
    paths = [need_network(f"maia-{level}.pb.gz") for level in levels]
    gate = {"ratings": levels, "width": 20}
    sizes = {
        "channels": 64,
        "blocks": 6,
        "squeeze": 8,
        "policy_channels": 64,
        "value_channels": 32,
        "value_hidden": 128,
    }
    net = make_net(groups=4, gate=gate, condition=CONDITION, **sizes)
    start_from_files(net, paths)
    for path, level in zip(paths, levels, strict=True):
        queries = [Query(position, Player(float(level), "lichess")) for position in positions]
        np.testing.assert_allclose(ask(net, queries)["human"], run_file(path, queries)[0], atol=1e-4)


def test_linked_trunks_begin_as_the_same_trunks_apart(files: list[Path], positions: list[Position]) -> None:
    players = [Player(900.0 + 120 * at, "lichess") for at in range(len(positions))]
    queries = [Query(position, player) for position, player in zip(positions, players, strict=True)]
    linked, apart = pooled(files, 220, linked=True), pooled(files, 220)
    for name, found in ask(linked, queries).items():
        if name != "expert":  # no file has one, and it begins at random
            assert_close(found, ask(apart, queries)[name])
    with torch.no_grad():
        first = linked.trunk.get_parameter("blocks.0.first.conv.weight")
        first[:4, 4:] += 0.5  # the first trunk reads the others
    assert np.abs(ask(linked, queries)["human"] - ask(apart, queries)["human"]).max() > 1e-3


def test_only_the_trunks_with_the_largest_shares_are_run(files: list[Path], positions: list[Position]) -> None:
    """Two of three: their mixture alone, whoever else is in the batch. Without a rating all are alike, and are run."""
    some, all_of_them = (shake(pooled(files, 220, expert=False, asked=asked)) for asked in (2, None))
    queries = [Query(each, Player(1000.0 + 90 * at, "lichess")) for at, each in enumerate(positions)]
    queries[0] = Query(positions[0])
    assert all_of_them.condition is not None
    assert all_of_them.condition.gate is not None
    gate = all_of_them.condition.gate
    with torch.no_grad():
        gate.correction.weight.zero_()
        gate.correction.bias.zero_()
        assert some.condition is not None
        assert some.condition.gate is not None
        some.condition.gate.load_state_dict(gate.state_dict())
    whole, found = ask(all_of_them, queries), ask(some, queries)
    assert_close(found["human"][0], whole["human"][0])
    assert not np.allclose(found["human"][1], whole["human"][1], atol=1e-3)
    handle = gate.register_forward_hook(lambda _module, _given, shares: strongest(shares, 2))
    for name, wanted in ask(all_of_them, queries).items():
        assert_close(found[name], wanted)
    handle.remove()
    for at in (0, 7):
        assert_close(ask(some, queries[at : at + 1])["human"][0], found["human"][at])


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"asked": 3}, "less than groups"),
        ({"linked": True, "asked": 2}, "linked is for several groups that are all asked"),
        ({"asked": 2, "shared_value": True}, "nothing in common"),
    ],
)
def test_trunks_that_cannot_be_meant_are_refused(fields: dict[str, Any], reason: str) -> None:
    gate = {"ratings": RATINGS, "width": 220}
    with pytest.raises((ValidationError, BadSpec), match=reason):
        make_net(**{"groups": 3, "gate": gate, "condition": CONDITION, **fields})


def test_a_single_network_stays_itself_for_every_player(files: list[Path], positions: list[Position]) -> None:
    net = make_net(condition=CONDITION)
    start_from_files(net, files[:1])
    for player in (Player(), Player(3000.0, "fide"), Player(1200.0, "elsewhere")):
        queries = [Query(position, player) for position in positions]
        assert_close(ask(net, queries)["human"], run_file(files[0], queries)[0])


def test_between_two_trunks_logits_are_mixed_by_the_bell_curve(files: list[Path], positions: list[Position]) -> None:
    net = pooled(files, width=220)
    for player, level in ((Player(1500.0, "lichess"), 1500.0), (Player(1150.0, "fide"), 1500.0)):
        queries = [Query(position, player) for position in positions]
        weights = np.exp(-0.5 * ((level - np.array(RATINGS)) / 220) ** 2)
        wanted = np.tensordot(weights / weights.sum(), [run_file(path, queries)[0] for path in files], 1)
        assert_close(ask(net, queries)["human"], wanted, 1e-4)


def test_an_unknown_rating_gives_every_trunk_the_same_share(files: list[Path], positions: list[Position]) -> None:
    queries = [Query(position, Player()) for position in positions]
    wanted = np.mean([run_file(path, queries)[0] for path in files], axis=0)
    assert_close(ask(pooled(files, width=220), queries)["human"], wanted)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"channels": 8}, "entry"),
        ({"blocks": 1}, "blocks"),
        ({"blocks": 3}, "the network has 3 blocks"),
        ({"squeeze": 3}, "squeeze"),
        ({"norm": "batch"}, "norm"),
        ({"encoder": {"name": "compact-chess"}}, "lc0-rated"),
    ],
)
def test_files_that_do_not_fit_are_refused(fields: dict[str, Any], message: str, files: list[Path]) -> None:
    with pytest.raises(BadModel, match=message):
        start_from_files(make_net(**fields), files[:1])


def test_files_without_draws_or_with_another_head_are_refused(write_network: Callable[..., Path]) -> None:
    with pytest.raises(BadModel, match="draws"):
        start_from_files(make_net(), [write_network("scalar.pb.gz", value_format=1)])
    with pytest.raises(BadModel, match="fully connected"):
        start_from_files(make_net(), [write_network("dense.pb.gz", policy_format=1)])
    with pytest.raises(BadModel, match=r"nowhere\.pb\.gz"):
        start_from_files(make_net(), [Path("nowhere.pb.gz")])


GO: dict[str, Any] = {
    "encoder": {"name": "katago-rated", "fields": {"pools": ["ogs"]}},
    "policy": "points",
    "value": "pooled",
    "mask_plane": 0,
    "condition": {"low": 0, "high": 39, "hidden": 8},
    "expert": True,
}


def go_positions(size: int, count: int, seed: int) -> list[Position]:
    rng, position, found = np.random.default_rng(seed), open_game("go").start(Setup(size=size)), []
    for _ in range(count):
        position = position.play(int(rng.choice(position.legal)))
        found.append(position)
    return found


@pytest.mark.parametrize("norm", ["none", "batch"])
def test_a_small_board_is_the_same_beside_a_large_one(norm: str) -> None:
    net = shake(make_net(**GO, norm=norm))
    small = [Query(position, Player(20.0, "ogs")) for position in go_positions(7, 12, 1)]
    large = [Query(position, Player(20.0, "ogs")) for position in go_positions(13, 12, 2)]
    alone, mixed = ask(net, small), ask(net, small + large)
    np.testing.assert_allclose(mixed["wdl"][:12], alone["wdl"], atol=1e-4)
    for head in ("human", "expert"):
        points = mixed[head][:12, :-1].reshape(12, 13, 13)[:, :7, :7].reshape(12, -1)
        np.testing.assert_allclose(points, alone[head][:, :-1], atol=1e-4)
        np.testing.assert_allclose(mixed[head][:12, -1], alone[head][:, -1], atol=1e-4)


def test_normalisation_counts_only_points_on_the_board() -> None:
    x = torch.randn(5, 3, 4, 4)
    padded = torch.full((5, 3, 9, 9), 7.0)
    padded[:, :, :4, :4] = x
    mask = torch.zeros(5, 1, 9, 9)
    mask[:, :, :4, :4] = 1
    one, other = Norm(3).train(), Norm(3).train()
    plain, cut = one(x, Board(None)), other(padded, Board(mask))
    torch.testing.assert_close(cut[:, :, :4, :4], plain)
    torch.testing.assert_close(other.mean, one.mean)
    # torch keeps the unbiased variance: 80 points here
    torch.testing.assert_close(other.variance - 0.9, (one.variance - 0.9) * 79 / 80)


@given(st.floats(-1e4, 1e4))
def test_ratings_are_kept_within_the_range(x: float) -> None:
    clipped, further = soft_clip(torch.tensor([x, x + 0.01])).tolist()
    assert abs(clipped) <= 1.08
    assert -1e-2 <= further - clipped <= 0.011
    if abs(x) < 0.5:
        assert clipped == pytest.approx(x, abs=2e-3)


@given(rating=st.floats(600, 2600), step=st.floats(0.1, 5))
def test_opinions_change_smoothly_with_rating(rating: float, step: float) -> None:
    net = CONDITIONED
    start = open_game("chess").start()
    queries = [Query(start, Player(each, "lichess"), Player(1500.0, "lichess")) for each in (rating, rating + step)]
    human = ask(net, queries)["human"]
    assert np.abs(human[0] - human[1]).max() < 0.05 * step


CONDITIONED = shake(make_net(condition=CONDITION), seed=4)


def test_far_beyond_the_range_a_player_is_one_at_its_edge() -> None:
    start = open_game("chess").start()
    ratings = [None, 1500.0, 2600.0, 3200.0, 4000.0, 100_000.0]
    human = ask(CONDITIONED, [Query(start, Player(rating, "lichess")) for rating in ratings])["human"]
    spread = np.abs(human[1] - human[2]).max()
    assert np.abs(human[3:] - human[4]).max() < 0.02 * spread
    assert np.abs(human[2] - human[4]).max() < 0.5 * spread
    assert np.abs(human[0] - human[1]).max() > 0.01 * spread, "an unknown rating is not the middle one"


def test_the_opponent_the_pool_and_the_clock_count() -> None:
    net = shake(make_net(condition=CONDITION, encoder={"name": "lc0-rated", "fields": {"pools": ["a", "b"]}}))
    start = open_game("chess").start()
    players = [
        (Player(1500.0, "a"), Player(1500.0)),
        (Player(1500.0, "a"), Player(1900.0)),
        (Player(1500.0, "b"), Player(1500.0)),
    ]
    human = ask(net, [Query(start, *each) for each in players])["human"]
    assert np.abs(human[0] - human[1]).max() > 1e-3
    assert np.abs(human[0] - human[2]).max() > 1e-3


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"groups": 2}, "need a gate"),
        ({"linked": True}, "linked is for several groups"),
        ({"gate": {"ratings": [1, 2]}}, "need a gate"),
        ({"groups": 3, "gate": {"ratings": [1, 2]}, "condition": CONDITION}, "3 groups"),
        ({"groups": 2, "gate": {"ratings": [1, 2]}}, "needs a condition"),
        ({"groups": 2, "gate": {"ratings": [2, 1]}, "condition": CONDITION}, "must rise"),
        ({"groups": 2, "gate": {"ratings": [1, 2], "offsets": {"x": 1}}, "condition": CONDITION}, "does not name"),
        ({"policy": "points"}, "pooled"),
        ({"condition": {"low": 2, "high": 1}}, "less than"),
        ({"chanels": 3}, "chanels"),
        ({"blocks": 0}, "blocks"),
    ],
)
def test_specs_that_make_no_sense_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        NetSpec(**{"encoder": RATED, "policy": "lc0", **TINY, **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"encoder": {"name": "lc0"}, "condition": CONDITION}, "says nothing of the players"),
        ({"encoder": {"name": "lco"}}, "lc0"),
        ({"encoder": {"name": "lc0", "fields": {"pools": []}}}, "lc0"),
        ({"mask_plane": 112}, "112 planes"),
    ],
)
def test_encoders_that_do_not_fit_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        shape_of(NetSpec(**{"encoder": RATED, "policy": "lc0", **TINY, **fields}))
