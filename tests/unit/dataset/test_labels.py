"""Labels: what is written is what is read, what they teach, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.dataset.labels import (
    LAYOUT_VERSION,
    MANIFEST,
    Candidate,
    Key,
    Label,
    Labels,
    labels_of,
    shard_path,
    table_of,
    write_labels,
)
from hitonami.errors import BadData, BadInput

LEGAL = np.array([3, 5, 8, 13, 21], dtype=np.int32)
SCORES = st.one_of(st.none(), st.floats(0, 1, width=32))


@st.composite
def candidates(draw: st.DrawFn) -> Candidate:
    line = tuple(draw(st.lists(st.integers(0, 5000), min_size=1, max_size=4)))
    small = st.one_of(st.none(), st.integers(-30_000, 30_000))
    return Candidate(line[0], draw(SCORES), draw(small), draw(small), draw(small), line)


@st.composite
def labels(draw: st.DrawFn) -> Label:
    listed = tuple(draw(st.lists(candidates(), max_size=4)))
    policy = draw(st.one_of(st.none(), st.lists(st.floats(0, 1, width=16), min_size=1, max_size=6)))
    wdl = draw(st.one_of(st.none(), st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3)))
    played = draw(st.integers(0, 5000))
    own = Candidate(played, draw(st.floats(0, 1, width=32)), line=()) if draw(st.booleans()) else None
    return Label(
        played,
        None if wdl is None else np.array(wdl, dtype=np.float32),
        listed,
        None if policy is None else np.array(policy, dtype=np.float16),
        own,
    )


def same(one: Label, other: Label) -> bool:
    arrays = [(one.wdl, other.wdl), (one.policy, other.policy)]
    alike = all(np.array_equal(a, b) if a is not None and b is not None else a is b for a, b in arrays)
    return alike and (one.played, one.candidates, one.own) == (other.played, other.candidates, other.own)


@settings(max_examples=30)
@given(st.dictionaries(st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 500)), labels(), max_size=8))
def test_what_is_written_is_what_is_read(given_labels: dict[Key, Label]) -> None:
    read = Labels(table_of(list(given_labels.items())))
    assert set(read) == set(given_labels)
    assert len(read) == len(given_labels)
    for key, label in given_labels.items():
        assert same(read[key], label)
    for content in {content for content, _ in given_labels}:
        assert read.plies_of(content) == sorted(ply for held, ply in given_labels if held == content)


def test_a_label_that_is_not_there_is_missing_like_in_any_mapping() -> None:
    read = Labels(table_of([((7, 3), Label(1)), ((7, 9), Label(2)), ((7, 3), Label(4))]))
    assert read.get((7, 4)) is None
    assert read.get((8, 3)) is None
    assert (7, 9) in read
    assert read[7, 3].played == 4, "the last label of a position counts"
    assert read.plies_of(8) == []


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=5), st.floats(0.005, 2.0))
def test_candidates_teach_the_softmax_of_their_expected_scores(expected: list[float], temperature: float) -> None:
    label = Label(3, candidates=tuple(Candidate(int(m), e) for m, e in zip(LEGAL, expected, strict=False)))
    target = label.target(LEGAL, temperature)
    wanted = np.exp((np.array(expected) - max(expected)) / temperature)
    assert target[: len(expected)] == pytest.approx(wanted / wanted.sum(), abs=1e-6)
    assert not target[len(expected) :].any()
    assert target.sum() == pytest.approx(1.0, abs=1e-5)


def test_a_candidate_without_a_score_teaches_nothing_and_no_candidate_is_unknown() -> None:
    assert not Label(3).target(LEGAL).any()
    assert not Label(3, candidates=(Candidate(5),)).target(LEGAL).any()
    both = Label(3, candidates=(Candidate(8, 0.5), Candidate(5)))
    assert both.target(LEGAL).tolist() == [0, 0, 1, 0, 0]


def test_a_distribution_is_taught_as_it_is_and_tempered_when_asked() -> None:
    policy = np.array([0.5, 0.25, 0.25, 0, 0], dtype=np.float16)
    label = Label(3, candidates=(Candidate(21, 1.0),), policy=policy)
    assert label.target(LEGAL) == pytest.approx([0.5, 0.25, 0.25, 0, 0])
    sharp = label.target(LEGAL, 0.5)
    assert sharp == pytest.approx([4 / 6, 1 / 6, 1 / 6, 0, 0], abs=1e-6)


def test_labels_of_other_rules_are_refused() -> None:
    with pytest.raises(BadInput, match="not legal"):
        Label(3, candidates=(Candidate(4, 0.5),)).target(LEGAL)
    with pytest.raises(BadInput, match="3 moves where 5 are legal"):
        Label(3, policy=np.ones(3, dtype=np.float16)).target(LEGAL)


def test_the_loss_of_a_move_is_never_negative_and_unknown_without_scores() -> None:
    best = (Candidate(3, 0.6), Candidate(5, 0.5))
    assert Label(5, candidates=best, own=best[1]).loss == pytest.approx(0.1)
    assert Label(8, candidates=best, own=Candidate(8, 0.7)).loss == 0.0
    assert Label(8, candidates=best).loss is None
    assert Label(8, candidates=(Candidate(3),), own=Candidate(8, 0.7)).loss is None


def write_folder(folder: Path, **changes: object) -> Path:
    write_labels(table_of([((1, 2), Label(3, candidates=(Candidate(3, 0.5, line=(3, 4)),)))]), shard_path(folder, 0))
    shards = [{"name": shard_path(folder, 0).name}]
    manifest = {"kind": "labels", "layout": LAYOUT_VERSION, "shards": shards} | changes
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def test_a_folder_is_read_whole_or_for_targets_alone(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    assert labels_of(folder)[1, 2].candidates[0].line == (3, 4)
    slim = labels_of(folder, for_targets=True)[1, 2]
    assert slim.target(LEGAL).tolist() == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / MANIFEST).unlink(), "no labels in"),
        (lambda folder: (folder / MANIFEST).write_text("{"), "cannot be read"),
        (lambda folder: write_folder(folder, kind="games"), "holds no labels"),
        (lambda folder: write_folder(folder, layout=99), "another version"),
        (lambda folder: shard_path(folder, 0).write_bytes(b"PAR1 no"), "damaged"),
        (lambda folder: shard_path(folder, 0).unlink(), "missing"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(tmp_path: Path, spoil: object, said: str) -> None:
    folder = write_folder(tmp_path)
    spoil(folder)  # type: ignore[operator]
    with pytest.raises(BadData, match=said):
        labels_of(folder)


def test_unfinished_labels_say_how_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "unfinished").mkdir()
    with pytest.raises(BadData, match="--resume"):
        labels_of(tmp_path)
