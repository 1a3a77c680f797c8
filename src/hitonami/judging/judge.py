"""The judge: how good is a move, by an engine that is none of the minds under test?

    with open_judge("chess", nodes=20_000, cache=folder) as judge:
        [verdict] = judge([(position, [move])])
        verdict.loss(move)

Every judged move is looked at in the same way, by the position after it, the best one included: a search from the root
would favour the move that it found. The best is the best of the judge's own choice and of the moves asked about, so no
loss is below 0.

Chances are expected scores of the mover, 0..1. Engines that tell centipawns (UCI, USI): 1 / (1 + exp(−cp / scale)) with
the mind's `result_centipawns`, 272 for chess (Lichess's fit to games of people) and 600 for shogi, mates at the ends.
The engine's own win/draw/loss is not taken there: it is fitted to engines, and lies flat where people still go wrong.
Anything else (KataGo, networks): its own expected score.

What was judged once is read from the cache. The judge refuses to judge minds that it is a part of.
"""

import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Position, Query, open_game
from hitonami.customs import customs_of
from hitonami.engines.scores import centipawns_of
from hitonami.errors import BadInput, EngineFailed, quote
from hitonami.judging._cache import JudgeCache, View, record_key
from hitonami.minds import known_engine
from hitonami.models.shipped import shipped_models
from hitonami.models.store import find_model
from hitonami.progress import Report, unheard
from hitonami.specs import MindSpec, Room, mind_spec, schema_of
from hitonami.train.labelling import origins_of

Ask = tuple[Position, Sequence[int] | None]
_ENGINES: Final = ("uci", "usi")
_ELO_SCALE: Final = 400 / math.log(10)
_SPEED_FIELDS: Final = ("processes", "threads", "timeout_seconds", "start_seconds", "cache")
"""Fields that change how long an answer takes, not what it is."""


@dataclass(frozen=True)
class Verdict:
    """What the judge found in one position. Chances are expected scores of the mover."""

    best_move: int
    best: float
    """The chance after the best move."""
    chances: Mapping[int, float]
    """After each move that was asked about."""
    line: tuple[int, ...]
    """From the best move on, as far as the judge tells."""
    nodes: int | None
    """Of each search; None where the judge has a limit of its own."""

    def loss(self, move: int) -> float:
        """How much expected score the move gives away. Raises KeyError for a move that was not asked about."""
        return self.best - self.chances[move]


class Judge:
    """A running judge. `name` says who it is: program and version, or the network."""

    def __init__(self, mind: Mind, spec: MindSpec, nodes: int | None, cache: JudgeCache, batch: int) -> None:
        self.spec, self.nodes = spec, nodes
        self.name = ", ".join(origins_of(mind)) or repr(spec)
        self._mind, self._cache, self._batch = mind, cache, batch
        self._scale = _scale_of(spec)

    def __call__(self, asked: Sequence[Ask], report: Report = unheard) -> list[Verdict]:
        """One verdict an ask. With moves, they and the best one are compared; with None the position is enough.

        Raises BadMove for a move that is not legal and EngineFailed where the engine fails; what it said before that
        is kept.
        """
        roots = [position for position, _ in asked]
        tally = _Tally(report, len(asked) + sum(len(moves) + 1 for _, moves in asked if moves is not None))
        views = self._see(roots, tally)
        after = {
            (at, move): position.play(move)
            for at, ((position, moves), view) in enumerate(zip(asked, views, strict=True))
            if moves is not None
            for move in dict.fromkeys([view.line[0], *map(int, moves)])
        }
        going_on = {place: position for place, position in after.items() if len(position.legal)}
        tally.total = len(asked) + len(going_on)
        seen = dict(zip(going_on, self._see(list(going_on.values()), tally), strict=True))
        chances: list[dict[int, float]] = [{} for _ in asked]
        for (at, move), position in after.items():
            chances[at][move] = _chance_before(roots[at], position, seen.get((at, move)))
        return [self._verdict(*each) for each in zip(asked, views, chances, strict=True)]

    def refuse_own(self, minds: Mapping[str, MindSpec | str]) -> None:
        """Raise BadInput where one of the minds (by name) holds the judge's own program or network."""
        own = _sources(self.spec)
        for name, spec in minds.items():
            if shared := own & _sources(mind_spec(spec)):
                raise BadInput(
                    f"the judge is not independent: {quote(name)} uses {sorted(shared)[0]} too; choose another judge"
                )

    def _see(self, positions: Sequence[Position], tally: "_Tally") -> list[View]:
        """What the judge thinks of each position, from the cache where it is there."""
        keys = [record_key(position) for position in positions]
        known = self._cache.find(keys)
        missing = {key: position for key, position in zip(keys, positions, strict=True) if key not in known}
        tally.add(len(positions) - len(missing))
        waiting = list(missing.items())
        for begin in range(0, len(waiting), self._batch):
            part = waiting[begin : begin + self._batch]
            fresh = self._ask([position for _, position in part])
            views = {key: view for (key, _), view in zip(part, fresh, strict=True)}
            self._cache.keep(views)
            known |= views
            tally.add(len(part))
        return [known[key] for key in keys]

    def _ask(self, positions: Sequence[Position]) -> list[View]:
        queries = [Query(position) for position in positions]
        opinions = self._mind(queries, Effort.seeded())
        return [self._view(position, opinion) for position, opinion in zip(positions, opinions, strict=True)]

    def _view(self, position: Position, opinion: Opinion) -> View:
        best = int(position.legal[dist.best(opinion.log_probs)])
        line = next((each for each in opinion.lines if each.moves and each.moves[0] == best), None)
        moves = (best,) if line is None else line.moves
        if self._scale is not None and line is not None:
            return View(0.5 + 0.5 * math.tanh(centipawns_of(line) / self._scale / 2), moves)
        if opinion.wdl is None:
            wrong = EngineFailed if self._scale is not None else BadInput  # an engine could have told some
            raise wrong(f"{self.name} tells no chances, so it cannot judge: name an engine or a network")
        return View(dist.expected_score(opinion.wdl), moves)

    def _verdict(self, ask: Ask, view: View, chances: Mapping[int, float]) -> Verdict:
        asked = ask[1]
        if asked is None:
            return Verdict(view.line[0], view.chance, {}, view.line, self.nodes)
        best = max(chances, key=lambda move: (chances[move], move == view.line[0]))
        line = view.line if best == view.line[0] else (best,)
        return Verdict(best, chances[best], {int(move): chances[int(move)] for move in asked}, line, self.nodes)


class _Tally:
    """Counts what is behind us."""

    def __init__(self, report: Report, total: int) -> None:
        self._report, self._done, self.total = report, 0, total

    def add(self, count: int) -> None:
        self._done += count
        self._report(self._done, self.total)


def _chance_before(before: Position, after: Position, view: View | None) -> float:
    """The mover's chance once the move is made: by the view of the position after it, or by the rules."""
    if view is None:
        score = after.score
        assert score is not None, "a position without moves is over"
        return score if before.to_move == 0 else 1.0 - score
    return view.chance if after.to_move == before.to_move else 1.0 - view.chance


def scale_of(judge: Judge) -> float:
    """The centipawns of the logistic by which it tells chances; Elo's own for a judge that knows no centipawns."""
    return _scale_of(judge.spec) or _ELO_SCALE


@contextmanager
def open_judge(
    game: str,
    spec: MindSpec | Mapping[str, Any] | str | None = None,
    *,
    nodes: int | None = None,
    cache: Path | None = None,
    jobs: int = 1,
) -> Iterator[Judge]:
    """A judge for the length of a `with` block: the mind of the spec, else the one found on this machine.

    `nodes` (playouts, visits) are for each search and stand in for the spec's own limit. `cache` is a folder that keeps
    what was judged; `jobs` engines, or threads of a network, work at once.
    """
    chosen = mind_spec(spec) if spec is not None else default_judge(game)
    if nodes is not None:
        chosen = _limited(chosen, nodes)
    with Room() as room:
        mind = room.open(_prepared(chosen, jobs))
        with closing(JudgeCache(cache, _about(chosen, mind))) as kept:
            batch = 8 * jobs if chosen.kind in _ENGINES else 16  # what a kill may cost
            yield Judge(mind, chosen, dict(chosen.fields).get("nodes", nodes), kept, batch)


def judge_variable(game: str) -> str:
    """The environment variable that names the judge of this machine for a game."""
    return f"HITONAMI_JUDGE_{open_game(game).name.partition(':')[0].upper()}"


def default_judge(game: str) -> MindSpec:
    """The judge of this machine: HITONAMI_JUDGE_GAME where that is set, else an engine that is known and installed."""
    name = open_game(game).name
    variable = judge_variable(game)
    if given := os.environ.get(variable):
        return mind_spec(given)
    usual, engine = customs_of(name).engine, known_engine(name)
    if usual is None or engine is None or not usual.judging:
        hint = f"install {usual.package}" if usual is not None and usual.judging else "there is no usual one"
        raise BadInput(
            f"no judge for {name} was found: {hint}, name one (uci:…, usi:…, katago:…, a network's file), "
            f"or set {variable}"
        )
    return mind_spec(mind_spec(engine).as_dict() | dict(usual.judging))


def cache_folder() -> Path:
    """Where judges' words are kept when no folder is named: HITONAMI_CACHE, else the platform's folder for caches."""
    if given := os.environ.get("HITONAMI_CACHE"):
        return Path(given).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "hitonami"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hitonami"


def _limited(spec: MindSpec, nodes: int) -> MindSpec:
    """The same judge with another limit. Raises BadInput for one that has none."""
    if nodes < 1:
        raise BadInput(f"a judge needs at least 1 node, got {nodes}")
    if spec.kind == "usi" and "gpsusi" in str(dict(spec.fields).get("command")):
        raise BadInput("GPS Shogi ends itself at a limit in nodes: leave the nodes out, or name another judge (usi:…)")
    known = schema_of(spec.kind).model_fields
    field = next((name for name in ("nodes", "visits", "simulations") if name in known), None)
    if field is None:
        raise BadInput(f"the judge {spec.kind} does not search, so it takes no nodes")
    kept = {name: value for name, value in spec.as_dict().items() if name not in ("depth", "move_milliseconds")}
    return mind_spec(kept | {field: nodes})


def _prepared(spec: MindSpec, jobs: int) -> MindSpec:
    """The mind as it is opened: one variation of an engine is enough, and a network remembers nothing."""
    if spec.kind in _ENGINES:
        return mind_spec({"multipv": 1} | spec.as_dict() | {"processes": jobs})
    return mind_spec({"cache": 0} | spec.as_dict() | {"threads": jobs}) if spec.kind == "neural" else spec


def _about(spec: MindSpec, mind: Mind) -> dict[str, Any]:
    """All that answers depend on. A program or network is known by what it says of itself, not by where it lies."""
    left = [*_SPEED_FIELDS, *(("command",) if spec.kind in _ENGINES else ("model",) if spec.kind == "neural" else ())]
    kept = {name: value for name, value in spec.as_dict().items() if name not in left}
    return {"who": origins_of(mind), "spec": kept}


def _scale_of(spec: MindSpec) -> float | None:
    """Centipawns of the logistic, None for a judge that tells chances."""
    if spec.kind not in _ENGINES:
        return None
    default = schema_of(spec.kind).model_fields["result_centipawns"].default
    return float(dict(spec.fields).get("result_centipawns", default))


def _sources(spec: MindSpec) -> set[str]:
    """The programs and networks that a mind holds."""
    fields = dict(spec.fields)
    found = {each for value in fields.values() for each in _nested(value)}
    if "command" in fields:
        program = Path(str(fields["command"]).split()[0]).name
        found.add(str(fields["command"]) if program in ("katago", "node", "python") else program)
    if spec.kind == "neural":
        found.add(str(find_model(str(fields["model"])).resolve()))
    looks = spec.kind in ("ahead", "blend") and not (fields.get("mind") or fields.get("minds"))
    if spec.kind == "human" or looks:
        found |= {str(path.resolve()) for path in shipped_models("human").values()}
    if looks:
        found |= {str(path.resolve()) for path in shipped_models("human", "ahead").values()}
    if spec.kind == "expert" or (spec.kind == "search" and not fields.get("mind")):
        found |= {str(path.resolve()) for path in shipped_models("expert").values()}
    return found


def _nested(value: Any) -> set[str]:
    if isinstance(value, MindSpec):
        return _sources(value)
    return {each for part in value for each in _nested(part)} if isinstance(value, tuple) else set()
