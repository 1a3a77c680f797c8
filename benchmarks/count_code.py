"""How large the house is: lines of code of `src/hitonami`, without what came with later capabilities.

    python benchmarks/count_code.py [COMMIT]      # default: the files as they are

A line counts where a token of code stands on it: no blank lines, comments or docstrings. Left out are files that were
written for capabilities that came after the rooms were rebuilt (and what stood in their place before); a file that was
only moved, split or thinned counts. docs/log.md, "How large the house is", says what came of it.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_OUT = {
    "new games": r"games/_?(boards|breakthrough|connect_four|fairy|five|gomoku|heian|hex|lanes|openspiel|othello|renju"
    r"|variant|xiangqi)|engines/fairy|minds/fairy|fairy|cli/games",
    "records": r"records/(plain|eothello|iccs|littlegolem)",
    "the plain protocol": r"protocols/plain",
    "playout": r"minds/playout",
    "foresight and sights": r"minds/_?(chess_)?foresight|fits/(foresight|ranker)|levels/rankers|sights/"
    r"|games/(chess_rules/(men|exchanges)|shogi_rules/cells)",
    "manners": r"manners/|reckoning|games/((chess|shogi)_rules/peril|go_rules/lead)|protocols/_timed_turns"
    r"|experiments/manners|judging/mates|matches/skilled"
    r"|cli/(_manners|draws|mates|pace|passes|resign)"
    r"|fits/(additive|draws|losers|manners_run|pace|passes|playing_out|prices|published|resign|turns)"
    r"|report/(draws|manners|mates|passes)",
    "twins and style": r"twins/|style/|traits/|habits/|dataset/columns|minds/twin|web/(api/)?twins"
    r"|cli/(similar|style|twins?)|report/(clusters|similar|style|twin)",
    "bases, profiles, grafts that go on": r"bases|train/read_back|fits/profile|levels/profiles"
    r"|minds/katago_human|cli/_fit_profile|web/bases",
    "levels by games": r"fits/(games_run|response|spacing)|report/fit_games|cli/_fit_games"
    r"|play/doubt|(web|levels)/held",
    "rewards of people": r"fits/utilities|minds/utility|report/fit_worth",
    "Game Refinement": r"(evaluate|report|cli)/refine",
    "self-play": r"selfplay/|lanes|(cli|report)/selfplay|models/encoders/(_?cell|_drawn_board|heian_thesis)"
    r"|levels/ladders|minds/_levelled|models/self_played",
    "intuition": r"intuition/|warm_up/learning|explain|minds/(dual|intuition)|cli/(explain|learn)"
    r"|report/(explanation|lessons|small_board)",
    "person or program": r"(judging|report|cli)/(blind|unmask)|matches/alone",
    "live tests": r"web/studies/meeting",
    "published figures": r"judging/as_published|experiments/(losses|strength)_step|fits/even_chances"
    r"|models/importers/lc0_onnx",
}
_NO_CODE = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
)  # fmt: skip


def count_lines(text: str) -> int:
    """Lines with a token of code that is not part of a docstring."""
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            held.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if ast.get_docstring(node) is not None else None
            held -= set(range(first.lineno, (first.end_lineno or 0) + 1)) if first is not None else set()
    return len(held)


def read_files(commit: str | None) -> dict[str, str]:
    """Texts by their paths below `src/hitonami/`."""
    top = "src/hitonami/"
    if commit is None:
        return {path.relative_to(ROOT / top).as_posix(): path.read_text() for path in (ROOT / top).rglob("*.py")}
    names = _git("ls-tree", "-r", "--name-only", commit, top).split()
    return {name.removeprefix(top): _git("show", f"{commit}:{name}") for name in names if name.endswith(".py")}


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def main() -> None:
    lines = {path: count_lines(text) for path, text in read_files(sys.argv[1] if sys.argv[1:] else None).items()}
    print(f"{sum(lines.values()):>7,}  all")
    for name, pattern in LEFT_OUT.items():
        own = [path for path in lines if re.match(pattern, path)]
        print(f"{sum(lines.pop(path) for path in own):>7,}  {name} ({len(own)} files)")
    print(f"{sum(lines.values()):>7,}  without them")


if __name__ == "__main__":
    main()
