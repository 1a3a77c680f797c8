"""Self-play against its own network in batches, and against OpenSpiel's AlphaZero search, one game at a time.

The first rows hold positions evaluated a second in lockstep self-play against the same network asked about the same number of
positions in batches, planes painted, one thread each. The last hold whole games a second of Connect Four against
OpenSpiel's own Python MCTS (its AlphaZero's search) with the same network, simulations and noise: one game, one
position at a time, as that is written; the network in the framework that it was trained in, as such programs have it,
and, for orientation, in our runtime. Processor time is counted, so that others on the machine count less.
"""  # noqa: E501

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import torch

from _measure import Row, ratio_of, show
from hitonami.models.encoders.cells import Cells
from hitonami.models.net import Net
from hitonami.models.spec import NetSpec
from hitonami.selfplay.network import OUTPUTS, Network
from hitonami.selfplay.playing import Generation
from hitonami.selfplay.recipe import PlaySpec
from hitonami.train.export import export_net

Ask = Callable[[Any], tuple[Any, Any]]
GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    "connect-four": ("flat", {}, 42),
    "othello": ("flat", {}, 20),
    "heian": ("squares", {}, 20),
    "breakthrough": ("squares", {"size": 6}, 16),
}
"""Head, fields of the encoder, and plies after which a game of this benchmark ends."""


def make_net(game: str) -> Net:
    policy, fields, _ = GAMES[game]
    torch.manual_seed(0)
    encoder = {"name": "cells", "fields": {"game": game, **fields}}
    sizes = {"channels": 32, "blocks": 4, "policy_channels": 16, "value_channels": 8, "value_hidden": 64}
    return Net(NetSpec(encoder=encoder, norm="batch", policy=policy, **sizes)).eval()  # type: ignore[arg-type]


def make_network(game: str) -> bytes:
    return export_net(make_net(game), bits=32)


def open_network(game: str) -> Network:
    return Network.open(Cells(game, **GAMES[game][1]), make_network(game), 1)


def measure_lockstep(game: str, at_least: float | None) -> Row:
    network, plies = open_network(game), GAMES[game][2]
    spec = PlaySpec(games=64, simulations=32, most_plies=plies)
    seeds = iter(range(100))
    found: dict[str, Any] = {}

    def play() -> int:
        played = Generation(network.encoder, spec, [next(seeds)], 0.0).play(network)
        found["states"], found["leaves"] = played.states, int(played.figures["leaves"])
        return int(found["leaves"])

    def ask() -> int:
        states = np.resize(found["states"], (256, found["states"].shape[1]))
        batches = max(found["leaves"] // 256, 1)
        for _ in range(batches):
            network.session.run(OUTPUTS, {"planes": network.encoder.paint(states)})
        return 256 * int(batches)

    name = f"self-play of {game} against the network's batches"
    return ratio_of(name, play, ask, at_least=at_least, rounds=3, clock=process_time)


def measure_against_openspiel(where: str, ask: Ask, at_least: float | None) -> Row:
    """Whole games of Connect Four."""
    network = open_network("connect-four")
    spec = PlaySpec(games=64, simulations=32, reuse=False, temperature_plies=12)
    seeds = iter(range(100))

    def ours() -> int:
        Generation(network.encoder, spec, [next(seeds)], 0.0).play(network)
        return spec.games

    return ratio_of(
        f"games of Connect Four against OpenSpiel's Python AlphaZero search, its network in {where}",
        ours,
        one_game_at_a_time(network.encoder, ask, spec.simulations),
        at_least=at_least,
        rounds=3,
        clock=process_time,
    )


def row_of(state: Any) -> Any:
    """[1, state] of OpenSpiel's state, as `Cells.read_states` has it of ours, but for the last move."""
    first, second, _ = np.flip(np.asarray(state.observation_tensor(0), np.int16).reshape(3, 6, 7), 1)
    return np.concatenate([(first - second).ravel(), [state.current_player(), -1, -1, 0]])[None].astype(np.int16)


def ask_torch() -> Ask:
    """The network as it was trained, as a straightforward program asks it."""
    net = make_net("connect-four")

    def ask(planes: Any) -> tuple[Any, Any]:
        with torch.inference_mode():
            told = net({"planes": torch.from_numpy(planes)})
        return told["human"][0].numpy(), told["wdl"][0].softmax(0).numpy()

    return ask


def ask_runtime() -> Ask:
    session = open_network("connect-four").session

    def ask(planes: Any) -> tuple[Any, Any]:
        logits, chances = session.run(OUTPUTS, {"planes": planes})
        return logits[0], chances[0]

    return ask


def one_game_at_a_time(encoder: Cells, ask: Ask, simulations: int) -> Callable[[], int]:
    """OpenSpiel's MCTS with our network as its evaluator: two games a call."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    theirs = pyspiel.load_game("connect_four")
    rng = np.random.default_rng(0)

    class Asking(mcts.Evaluator):  # type: ignore[misc]
        """As OpenSpiel's AlphaZero has it: prior and value of one state, kept for the next question.

        Its own tensor of a state becomes our row of cells without playing the game again.
        """

        def __init__(self) -> None:
            self._kept: tuple[str | None, Any, Any] = (None, None, None)

        def _ask(self, state: Any) -> tuple[Any, Any]:
            key = state.history_str()
            if self._kept[0] != key:
                self._kept = (key, *ask(encoder.paint(row_of(state))))
            return self._kept[1], self._kept[2]

        def prior(self, state: Any) -> list[tuple[int, float]]:
            actions = state.legal_actions()
            logits, _ = self._ask(state)
            shares = np.exp(logits[actions] - logits[actions].max())
            return list(zip(actions, shares / shares.sum(), strict=True))

        def evaluate(self, state: Any) -> list[float]:
            _, chances = self._ask(state)
            value = float(chances[0] - chances[2])
            return [value, -value] if state.current_player() == 0 else [-value, value]

    def play() -> int:
        for _ in range(2):
            bot = mcts.MCTSBot(
                theirs, 1.5, simulations, Asking(), solve=True, dirichlet_noise=(0.25, 1.4),
                child_selection_fn=mcts.SearchNode.puct_value, random_state=np.random.RandomState(1),
            )  # fmt: skip
            state = theirs.new_initial_state()
            while not state.is_terminal():
                root = bot.mcts_search(state)
                visits = np.array([child.explore_count for child in root.children], float)
                early = state.move_number() < 12
                at = rng.choice(len(visits), p=visits / visits.sum()) if early else int(visits.argmax())
                state.apply_action(root.children[int(at)].action)
        return 2

    return play


def run() -> list[Row]:
    torch.set_num_threads(1)
    rows = [measure_lockstep(game, 0.5) for game in ("connect-four", "othello", "heian")]
    rows.append(measure_lockstep("breakthrough", None))
    rows.append(measure_against_openspiel("PyTorch", ask_torch(), 10.0))
    return [*rows, measure_against_openspiel("our runtime", ask_runtime(), None)]


if __name__ == "__main__":
    show(run())
