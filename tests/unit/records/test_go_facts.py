"""What the root of a Go record says of its game."""

import pytest

from hitonami.records import Document, Record, Rejected
from hitonami.records.sgf import Sgf

SGF = Sgf()


def read(text: str, charset: str = "utf-8") -> Record:
    (found,) = SGF.read(Document("test", 0, text.encode(charset)))
    assert isinstance(found, Record), found
    return found


@pytest.mark.parametrize(
    ("said", "score", "termination"),
    [
        ("黒中押し勝ち", 1.0, "resignation"),
        ("白中押し勝ち", 0.0, "resignation"),
        ("黑中盘胜", 1.0, "resignation"),
        ("白3目半勝ち", 0.0, "3.5 points"),
        ("黒半目勝ち", 1.0, "0.5 points"),
        ("白時間切れ勝ち", 0.0, "time"),
        ("Black+Resign", 1.0, "resignation"),
        ("White wins by 2.5", 0.0, "2.5 points"),
        ("W+ 3.5", 0.0, "3.5 points"),
        ("W+Time", 0.0, "time"),
        ("持碁", 0.5, "jigo"),
        ("Time", None, ""),
        ("bananas", None, ""),
    ],
)
def test_results(said: str, score: float | None, termination: str) -> None:
    record = read(f"(;SZ[9]RE[{said}];B[ee])")
    assert (record.score, record.termination) == (score, termination)


@pytest.mark.parametrize(
    ("root", "pool", "ratings"),
    [
        ("PC[The KGS Go Server at http://www.gokgs.com/]BR[7d]WR[6d?]", "kgs", (36.0, 35.0)),
        ("AP[GNU Go:3.8]AP[foxwq]BR[9段]WR[P7段]", "fox", (38.0, 46.0)),
        ("TM[60]TC[3]TT[15]BR[9段]WR[1级]", "fox", (38.0, 29.0)),
        ("PB[a (2268)]PW[b (1950)]", "goquest", (2268.0, 1950.0)),
        ("PB[a (2268)]PW[b]", "", (2268.0, None)),
        ("PC[OGS: https://online-go.com/game/1]BR[3k]", "ogs", (27.0, None)),
        ("BR[kyu]WR[kyu]", "kyu", (None, None)),
        ("PB[三段]BR[5k]", "", (25.0, None)),
    ],
)
def test_pools_and_ratings(root: str, pool: str, ratings: tuple[float | None, float | None]) -> None:
    players = read(f"(;SZ[9]{root};B[ee])").players
    assert {player.pool for player in players} == {pool}
    assert tuple(player.rating for player in players) == ratings


def test_a_name_is_cut_only_where_its_rank_is_nowhere_else() -> None:
    assert read("(;PB[三目三段]BR[5k];B[ee])").players[0].name == "三目三段"
    assert read("(;PB[kuro (1834)];B[ee])").players[0].name == "kuro"


@pytest.mark.parametrize(
    ("name", "kind"), [("katrain-6k", "bot"), ("GNU Go", "bot"), ("绝艺", "bot"), ("aki", "unknown")]
)
def test_programs_are_bots(name: str, kind: str) -> None:
    assert read(f"(;PB[{name}];B[ee])").players[0].kind == kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;SZ[9];W[aa];B[bb])", "wrong first mover"),
        ("(;SZ[9]HA[2]AB[aa][bb];B[cc];W[dd])", "wrong first mover"),
        ("(;SZ[9];B[aa];W[bb];W[cc])", "two moves in a row"),
        ("(;SZ[9]HA[2]AB[aa][bb];W[cc];B[dd])", None),
        ("(;SZ[9]AB[aa]AW[bb];W[cc];B[dd])", None),
        ("(;SZ[9]HA[0];B[cc];W[dd])", None),
    ],
)
def test_turns(text: str, reason: str | None) -> None:
    (found,) = SGF.read(Document("test", 0, text.encode()))
    assert (found.reason if isinstance(found, Rejected) else None) == reason


def test_what_may_have_gone_on_is_a_prefix() -> None:
    assert read("(;SZ[9];B[ee];W[cc])").marks == {"prefix"}
    assert read("(;SZ[9];B[ee];W[];B[])").marks == set()
    assert read("(;SZ[9]RE[B+R];B[ee])").marks == set()


@pytest.mark.parametrize("charset", ["utf-8", "gb18030", "cp932", "euc_jp"])
def test_charsets(charset: str) -> None:
    text = "(;SZ[9]PB[黒石]BR[初段]PW[白石]WR[三級]RE[白中押勝];B[ee])"
    record = read(text, charset)
    assert [player.name for player in record.players] == ["黒石", "白石"]
    assert (record.score, [player.rating for player in record.players]) == (0.0, [30.0, 27.0])


@pytest.mark.parametrize(
    ("root", "control"),
    [("TM[60]TC[3]TT[30]", "60+30/3"), ("TM[600]OT[5x30 byo-yomi]", "600+30/5"), ("TM[0]", "-"), ("", "")],
)
def test_times(root: str, control: str) -> None:
    assert read(f"(;SZ[9]{root};B[ee])").time_control == control
