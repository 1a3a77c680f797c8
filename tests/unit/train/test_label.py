"""Labelling: what is asked and kept, what fails, what is refused, and the same bytes after an interruption."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami.core import Effort, Player, Setup, lineage, open_game
from hitonami.dataset.labels import Labels, label_shards, labels_of
from hitonami.dataset.picking import Picking, open_pool
from hitonami.dataset.samples import samples_at
from hitonami.dataset.shards import content_of, read_records, shards_in, table_of, write_shard
from hitonami.errors import BadInput, BadSpec, WorkFailed
from hitonami.minds.neural import Neural
from hitonami.records import Record, write_record
from hitonami.specs import mind_spec, open_mind
from hitonami.terminal.progress import Meter
from hitonami.train.label import LabelPlan, Progress, label, with_lines
from hitonami.train.label_run import LabelWish, run_labels
from hitonami.train.labelling import Asking

Need = Callable[[str], str]
NETWORK = Neural.EXAMPLES[0]["model"]
MADE_UP = '''
"""A mind for tests: chances by ply, some positions that it fails on, an interruption where a file says so."""
from dataclasses import dataclass
from pathlib import Path
import numpy as np
from hitonami import dist
from hitonami.core import Opinion
from hitonami.errors import EngineFailed

@dataclass(frozen=True)
class MadeUp:
    """By ply."""
    fails_every: int = 0
    interrupted_by: str = ""
    EXAMPLES = ()
    def __call__(self, queries, effort):
        path = Path(self.interrupted_by)
        if self.interrupted_by and path.exists():
            left = int(path.read_text())
            if left == 0:
                raise KeyboardInterrupt
            path.write_text(str(left - 1))
        opinions = []
        for query in queries:
            ply = query.position.ply
            if self.fails_every and ply % self.fails_every == 0:
                raise EngineFailed(f"no opinion at ply {ply}")
            win = (ply % 10) / 10
            noise = dist.normalise(effort.rng.normal(size=len(query.position.legal)))
            opinions.append(Opinion(noise, np.array([win, 0, 1 - win], dtype=np.float32)))
        return opinions
'''


@pytest.fixture(autouse=True)
def parts(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "minds").mkdir()
    (folder / "minds" / "made_up.py").write_text(MADE_UP, encoding="utf-8")
    monkeypatch.setenv("HITONAMI_PARTS", str(folder))


def plan_of(mind: Any, out: Path, game: str = "chess", *, asking: Asking | None = None, **draw: Any) -> LabelPlan:
    return LabelPlan(mind_spec(mind), Picking(game, **draw), out, asking or Asking())


def run(plan: LabelPlan, games: Path, **more: Any) -> Labels:
    label(plan, open_pool([str(games)], plan.draw.game), **more)
    return labels_of(plan.out)


def hashes(folder: Path) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in label_shards(folder)]


def test_a_networks_whole_opinion_is_kept(games: Path, tmp_path: Path) -> None:
    spec = {"kind": "neural", "model": NETWORK}
    found = run(plan_of(spec, tmp_path / "out", positions=12, per_game=2), games)
    assert len(found) == 12
    records = {content_of(record): record for path in shards_in(games) for record in read_records(path)}
    with open_mind(spec) as mind:
        for (content, ply), each in found.items():
            [sample] = samples_at(records[content], [ply])
            [opinion] = mind([sample.query], Effort.seeded())
            assert each.policy is not None
            assert each.policy.astype(float) == pytest.approx(np.exp(opinion.log_probs), abs=2e-3)
            assert each.played == sample.move
            assert each.wdl == pytest.approx(opinion.wdl, abs=1e-4)
            assert not each.candidates
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["about"]["engines"][0].startswith("network ")
    assert manifest["labels"] == 12
    assert not (tmp_path / "out" / "unfinished").exists()


def test_the_played_move_is_judged_by_the_position_after_it(games: Path, tmp_path: Path) -> None:
    plan = plan_of("made-up", tmp_path / "out", asking=Asking(played=True), positions=30, per_game=3)
    for (_, ply), each in run(plan, games).items():
        assert each.own is not None
        assert each.own.move == each.played
        assert each.own.expected == pytest.approx(1 - ((ply + 1) % 10) / 10, abs=1e-6)


def test_a_played_move_that_mates_expects_everything(tmp_path: Path) -> None:
    position, moves = open_game("chess").start(), []
    for text in ("f2f3", "e7e5", "g2g4", "d8h4"):
        moves.append(position.game.parse(position, text))
        position = position.play(moves[-1])
    record = Record("chess", Setup(), tuple(moves), (Player(), Player()), 0.0)
    write_shard(table_of([record], ["made up"]), tmp_path / "shard-00000.parquet")
    found = run(plan_of("made-up", tmp_path / "out", asking=Asking(played=True)), tmp_path)
    mate = found[content_of(record), 3]
    assert mate.own is not None
    assert mate.own.expected == 1.0


def test_positions_that_the_mind_fails_on_are_left_out_and_counted(games: Path, tmp_path: Path) -> None:
    plan = plan_of({"kind": "made-up", "fails_every": 7}, tmp_path / "out", positions=150, per_game=10)
    manifest = label(plan, open_pool([str(games)], "chess"))
    found = labels_of(plan.out)
    assert manifest["failed"]["positions"] > 0
    assert "no opinion at ply" in manifest["failed"]["reason"]
    assert len(found) + manifest["failed"]["positions"] == 150
    assert all(ply % 7 for _, ply in found)
    hopeless = plan_of({"kind": "made-up", "fails_every": 1}, tmp_path / "none", positions=10)
    with pytest.raises(WorkFailed, match="not one of 10 positions"):
        label(hopeless, open_pool([str(games)], "chess"))


def test_one_person_s_moves_are_labelled_from_record_files(tmp_path: Path) -> None:
    moves = open_line("e2e4 e7e5 g1f3 b8c6")
    record = Record("chess", Setup(), moves, (Player(name="Somebody"), Player(name="Other")), score=0.5)
    file = tmp_path / "games.pgn"
    file.write_text(write_record(record, "pgn"), encoding="utf-8")
    wish = LabelWish("chess", "uniform", tmp_path / "out", policy=True, chosen="player:Somebody")
    run_labels(wish, [str(file)], Meter, lambda line: None)
    assert sorted(ply for _, ply in labels_of(wish.out)) == [0, 2]


def open_line(text: str) -> tuple[int, ...]:
    position = open_game("chess").start()
    for word in text.split():
        position = position.play(position.game.parse(position, word))
    return tuple(lineage(position)[1])


def test_an_interrupted_run_goes_on_to_the_same_bytes(games: Path, tmp_path: Path) -> None:
    pool = open_pool([str(games)], "chess")
    count = tmp_path / "count"
    mind = {"kind": "made-up", "interrupted_by": str(count)}
    whole, broken = (plan_of(mind, tmp_path / name, positions=300, per_game=3) for name in ("whole", "broken"))
    label(whole, pool)
    told: list[Progress] = []
    for blocks in (0, 1, 2):
        count.write_text(str(blocks), encoding="utf-8")
        with pytest.raises(KeyboardInterrupt):
            label(broken, pool, resume=(broken.out / "unfinished").exists())
        count.unlink()
        with pytest.raises(BadInput, match="--resume"):
            label(broken, pool)
    manifest = label(broken, pool, resume=True, report=told.append)
    assert hashes(broken.out) == hashes(whole.out)
    assert (broken.out / "manifest.json").read_bytes() == (whole.out / "manifest.json").read_bytes()
    assert told[-1].done == told[-1].total == manifest["labels"] == 300
    assert told[-1].fresh < 300, "what was done before is not done again"
    assert label(broken, pool) == manifest, "a second run does nothing"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mind": mind_spec("uniform")}, "another mind"),
        ({"draw": Picking("chess", positions=9)}, "another draw"),
        ({"asking": Asking(simulations=5)}, "another asking"),
    ],
)
def test_a_folder_belongs_to_one_plan(games: Path, tmp_path: Path, change: dict[str, Any], said: str) -> None:
    plan = plan_of("made-up", tmp_path / "out", positions=5)
    pool = open_pool([str(games)], "chess")
    label(plan, pool)
    with pytest.raises(BadInput, match=said):
        label(replace(plan, **change), pool)


def test_folders_that_are_not_ours_are_refused(games: Path, tmp_path: Path) -> None:
    pool = open_pool([str(games)], "chess")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(BadInput, match="not empty"):
        label(plan_of("uniform", tmp_path / "full"), pool)
    with pytest.raises(BadInput, match="no labels to go on with"):
        label(plan_of("uniform", tmp_path / "new"), pool, resume=True)


def test_lines_are_for_minds_that_search() -> None:
    assert with_lines(mind_spec("uci:stockfish"), 7).as_dict()["multipv"] == 7
    assert with_lines(mind_spec("katago:katago analysis"), 7).as_dict()["lines"] == 7
    with pytest.raises(BadSpec, match="no variations"):
        with_lines(mind_spec("uniform"), 7)


# With real engines


def test_stockfish_labels_are_repeatable_and_judge_the_played_move(
    games: Path, tmp_path: Path, need_program: Need
) -> None:
    need_program("stockfish")
    asking = Asking(simulations=300, played=True)
    plans = [
        plan_of({"kind": "uci", "command": "stockfish", "multipv": 3}, tmp_path / name, asking=asking, positions=24)
        for name in ("one", "two")
    ]
    found, _ = (run(plan, games) for plan in plans)
    assert hashes(plans[0].out) == hashes(plans[1].out)
    for each in found.values():
        assert 1 <= len(each.candidates) <= 3
        assert each.wdl is not None
        assert each.policy is None
        assert each.loss is not None
        assert 0.0 <= each.loss <= 1.0
    assert any(len(each.candidates) == 3 for each in found.values())
    assert any(each.loss for each in found.values()), "random moves lose something"


def test_gps_shogi_labels_positions(tmp_path: Path, write_games: Callable[..., Path], need_program: Need) -> None:
    need_program("gpsusi")
    spec = {"kind": "usi", "command": "gpsusi", "move_milliseconds": 50}
    found = run(plan_of(spec, tmp_path / "out", "shogi", positions=3), write_games("shogi", 3, most=12))
    assert len(found) == 3
    assert all(each.candidates or each.policy is not None for each in found.values())


def test_gnu_go_labels_positions(tmp_path: Path, write_games: Callable[..., Path], need_program: Need) -> None:
    need_program("gnugo")
    spec = "gtp:gnugo --mode gtp --level 1 --positional-superko"
    plan = plan_of(spec, tmp_path / "out", "go", positions=3)
    found = run(plan, write_games("go", 3, Setup(size=7), most=10))
    assert all(each.policy is not None and each.policy.max() > 0.9 for each in found.values())
    manifest = json.loads((plan.out / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["about"]["engines"][0].startswith("GNU Go 3")
