"""A card as people read it."""

from pathlib import Path

from hitonami.models.card import Card, EncoderRef, Heads, Metric, Source
from hitonami.models.store import Listed, Model
from hitonami.report.model import as_lines, list_line, size_of

CARD = Card(
    name="chess-small",
    game="chess",
    encoder=EncoderRef(name="lc0-rated", fields={"pools": ["lichess", "fide"], "clock": False}),
    inputs=("planes", "player", "pool"),
    heads=Heads(human="human", expert="expert", wdl="wdl"),
    rating_range=(600, 2700),
    licence="GPL-3.0-or-later",
    provenance=(Source(what="games of a club", sha256="ab" * 32, licence="CC0"), Source(what="a trunk")),
    metrics={"accuracy": Metric(value=0.5123, low=0.5071, high=0.5175, n=12000), "cross-entropy": Metric(value=1.61)},
    notes="first line\nsecond line",
    model_sha256="0" * 64,
)


def test_everything_on_the_card_is_shown() -> None:
    lines = list(as_lines(Model(CARD, bytes(5_250_000), Path("x")), "embedded"))
    assert lines == [
        "name        chess-small (embedded)",
        "game        chess",
        "heads       human, expert, wdl",
        "ratings     600 to 2700",
        "encoder     lc0-rated (pools lichess, fide, clock False)",
        f"size        5.2 MB, sha256 {'0' * 64}",
        "licence     GPL-3.0-or-later",
        "notes       first line",
        "            second line",
        "made from   games of a club · CC0 · sha256 abababababab…",
        "            a trunk",
        "measured    accuracy       0.5123  (0.5071 – 0.5175)  n = 12,000",
        "            cross-entropy  1.61",
    ]


def test_a_bare_card_has_no_empty_lines() -> None:
    bare = CARD.model_copy(update={"rating_range": None, "provenance": (), "metrics": {}, "notes": ""})
    assert len(list(as_lines(Model(bare, b"", Path("x")), "file"))) == 6


def test_packaged_models_are_marked_and_broken_ones_say_why() -> None:
    assert list_line(Listed("a", "embedded", Path("a"), CARD)).split() == [
        "*", "a", "embedded", "chess", "human,", "expert,", "wdl",
    ]  # fmt: skip
    assert list_line(Listed("b", "yours", Path("b"), problem="no card")).split(maxsplit=2) == [
        "b", "yours", "broken: no card",
    ]  # fmt: skip


def test_sizes_are_read_at_a_glance() -> None:
    assert (size_of(999_949), size_of(1_000_000), size_of(12)) == ("999.9 kB", "1.0 MB", "0.0 kB")
