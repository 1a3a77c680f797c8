"""Bot or not: studies, visits, hidden games, answers. Results need the study's key, in the header `X-Study-Key`."""

import asyncio
import csv
import io
import json
import re
import time
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Request, Response

from hitonami.core import Setup, open_game
from hitonami.errors import BadInput
from hitonami.evaluate.turing import SCALES
from hitonami.web.api import REFUSALS, VISITOR_COOKIE, here, remember_visitor
from hitonami.web.database import ID_PATTERN, VISITOR_PATTERN, new_id
from hitonami.web.move_log import move_names
from hitonami.web.new_game import check_level, check_size
from hitonami.web.opponents import Roster
from hitonami.web.schemas import SentMove
from hitonami.web.studies.desk import Desk, holds_key, name_opponents
from hitonami.web.studies.live import is_visitors_turn, replay
from hitonami.web.studies.meeting import is_alone
from hitonami.web.studies.preparing import read_people
from hitonami.web.studies.schemas import (
    Consent,
    NewHidden,
    NewStudy,
    Revealed,
    ShownStudy,
    StudyMade,
    StudyResults,
    TrialState,
    Verdict,
    Visit,
    VisitMade,
)
from hitonami.web.studies.store import Hidden, Study, Trial
from hitonami.web.views import show_board, show_past

router = APIRouter(prefix="/api", tags=["bot or not"], responses=REFUSALS)
Id = Annotated[str, Path(pattern=ID_PATTERN)]
_KEY_LETTERS = 24
_MOST_MOVES = 20_000


async def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


AtDesk = Annotated[Desk, Depends(_desk)]


async def _find_study(study_id: Id, desk: AtDesk) -> Study:
    return here(await desk.find(study_id), "study")


async def _find_own_study(
    study: Annotated[Study, Depends(_find_study)], x_study_key: Annotated[str, Header(max_length=80)] = ""
) -> Study:
    if not holds_key(study, x_study_key):
        raise HTTPException(403, "the results of a study need its key")
    return study


async def _find_trial(trial_id: Id, desk: AtDesk) -> tuple[Study, Trial]:
    return here(await desk.open_trial(trial_id), "game")


InStudy = Annotated[Study, Depends(_find_study)]
OwnStudy = Annotated[Study, Depends(_find_own_study)]
InTrial = Annotated[tuple[Study, Trial], Depends(_find_trial)]


@router.post("/studies", status_code=201)
async def set_up(wanted: NewStudy, desk: AtDesk) -> StudyMade:
    """Set a study up. Its games are prepared in the background; the key opens its results."""
    study, people = await asyncio.to_thread(_plan, wanted, desk.roster)
    made = await desk.set_up(study, people)
    return StudyMade(id=made.id, key=made.key)


@router.get("/studies")
async def open_studies(desk: AtDesk) -> list[ShownStudy]:
    """The studies that take visitors, latest first."""
    return [_show_study(study) for study in await asyncio.to_thread(desk.store.studies, "open")]


@router.get("/studies/{study_id}")
async def show_study(study: InStudy) -> ShownStudy:
    return _show_study(study)


@router.post("/studies/{study_id}/visits", status_code=201)
async def visit(study: InStudy, consent: Consent, desk: AtDesk, request: Request, response: Response) -> VisitMade:
    """Take part: the visitor has agreed to the study's text. A browser comes back to its one visit in a study."""
    visitor = request.cookies.get(VISITOR_COOKIE, "")
    if not re.fullmatch(VISITOR_PATTERN, visitor):
        visitor = remember_visitor(request, response)
    return VisitMade(id=await desk.visit(study, visitor))


@router.post("/studies/{study_id}/close")
async def close(study: OwnStudy, desk: AtDesk) -> ShownStudy:
    """Take no more visitors."""
    return _show_study(await desk.close_study(study))


@router.get("/studies/{study_id}/results")
async def results(study: OwnStudy, desk: AtDesk) -> StudyResults:
    """How each opponent seemed, with intervals."""
    seemings, visits = await asyncio.to_thread(desk.results, study)
    return StudyResults(
        study=_show_study(study),
        note=study.note,
        visits=visits,
        answers=sum(row.answers for row in seemings),
        prepared=await asyncio.to_thread(desk.store.count_specimens, study.id),
        opponents=[hidden.label for hidden in study.opponents],
        seemings=seemings,
    )


@router.get("/studies/{study_id}/answers.csv", response_class=Response)
async def answers(study: OwnStudy, desk: AtDesk) -> Response:
    """Every answer, a line each, with the moves that were judged."""
    text = await asyncio.to_thread(_write_csv, study, desk.store.study_trials(study.id))
    headers = {"Content-Disposition": f'attachment; filename="study-{study.id}.csv"'}
    return Response(text.encode(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/visits/{visit_id}")
async def show_visit(visit_id: Id, desk: AtDesk) -> Visit:
    """Where a visitor is. Who the opponents were is told after the last answer, where the study says so."""
    study, trials, now = here(await desk.current(visit_id), "visit")
    finished = now is None and study.reveal
    return Visit(
        study=_show_study(study),
        done=sum(trial.state in ("answered", "void") for trial in trials),
        total=len(trials),
        trial=None if now is None else now.id,
        revealed=[_reveal(study, trial) for trial in trials if trial.state == "answered"] if finished else [],
    )


@router.get("/trials/{trial_id}")
async def show_trial(found: InTrial, desk: AtDesk) -> TrialState:
    return await asyncio.to_thread(_trial_state, desk, *found)


@router.post("/trials/{trial_id}/moves")
async def play(found: InTrial, sent: SentMove, desk: AtDesk) -> TrialState:
    """The visitor's move, in a study that is played."""
    await desk.live.play(*found, sent.move, sent.ply)
    return await _look_again(desk, *found)


@router.post("/trials/{trial_id}/answer")
async def answer(found: InTrial, desk: AtDesk) -> TrialState:
    """Wait for the hidden opponent. All opponents answer at one pace."""
    await desk.live.wait_reply(*found)
    return await _look_again(desk, *found)


@router.post("/trials/{trial_id}/verdict", status_code=204)
async def judge(found: InTrial, verdict: Verdict, desk: AtDesk) -> None:
    """The visitor's answer. It is final. What is left out was not answered, and is counted nowhere."""
    given = {scale: getattr(verdict, scale) for scale in SCALES if getattr(verdict, scale) is not None}
    await desk.judge(*found, {"called_human": verdict.called_human, "likeness": verdict.likeness, "scales": given})


def _plan(wanted: NewStudy, roster: Roster) -> tuple[Study, dict[int, list[str]]]:
    """A study as it is asked for, checked. Raises BadInput."""
    setup = Setup(size=check_size(wanted.game, wanted.size))
    if wanted.mode == "watch" and len(wanted.opponents) * wanted.games_per_opponent * wanted.plies > _MOST_MOVES:
        raise BadInput(f"a study may have {_MOST_MOVES} moves to watch at most: opponents × games × moves")
    people = {}
    opponents = []
    for at, each in enumerate(wanted.opponents):
        opponents.append(_plan_opponent(wanted, each, roster))
        if each.records:
            people[at] = read_people(wanted.game, setup, wanted.plies, each.records)
            if not people[at]:
                raise BadInput(
                    f"{each.label}: none of these records can be shown; "
                    f"a game has to begin from the usual start and have more than {wanted.plies} moves"
                )
    study = Study(
        id=new_id(),
        key=new_id(_KEY_LETTERS),
        title=wanted.title,
        game=wanted.game,
        setup=setup,
        mode=wanted.mode,
        opponents=name_opponents(opponents),
        games_per_visitor=wanted.games_per_visitor,
        games_per_opponent=wanted.games_per_opponent,
        plies=wanted.plies,
        consent=wanted.consent,
        reveal=wanted.reveal,
    )
    return study, people


def _plan_opponent(wanted: NewStudy, given: NewHidden, roster: Roster) -> Hidden:
    if given.person:
        if wanted.mode != "play" or all(each.person or each.records for each in wanted.opponents):
            raise BadInput(f"{given.label}: people are met in games that are played, and hide among programs: add one")
        return Hidden(given.label, "person")
    if given.records:
        if wanted.mode == "play":
            raise BadInput(f"{given.label}: records can be watched, not played against")
        return Hidden(given.label, "records")
    style = roster.style(wanted.game, given.style)
    rating, pool = check_level(wanted.game, given.rating, given.pool)
    return Hidden(given.label, "style", style.name, rating, pool)


def _show_study(study: Study) -> ShownStudy:
    return ShownStudy.model_validate(study, from_attributes=True)


def _reveal(study: Study, trial: Trial) -> Revealed:
    hidden, given = study.opponents[trial.opponent], json.loads(trial.answer)
    return Revealed(
        number=trial.number + 1,
        opponent=hidden.label,
        is_human=hidden.kind != "style",
        called_human=given["called_human"],
        likeness=given["likeness"],
    )


async def _look_again(desk: Desk, study: Study, trial: Trial) -> TrialState:
    now = await asyncio.to_thread(desk.store.load_trial, trial.id)
    return await asyncio.to_thread(_trial_state, desk, study, now or trial)


def _trial_state(desk: Desk, study: Study, trial: Trial) -> TrialState:
    position, alone = replay(study, trial.moves), is_alone(study, trial)
    over = not len(position.legal) or (position.ply >= study.plies and desk.live.has_left(trial))
    return TrialState(
        id=trial.id,
        game=study.game,
        mode=study.mode,
        sides=open_game(study.game).sides,
        side=trial.side,
        boards=show_past(position) if study.mode == "watch" else [show_board(position)],
        moves=move_names(position),
        ply=position.ply,
        waiting=alone,
        your_turn=study.mode == "play" and not alone and not over and is_visitors_turn(position, trial),
        over=over,
        judgeable=trial.state == "shown" and (position.ply >= study.plies or not len(position.legal)),
        done=trial.state in ("answered", "void"),
    )


def _write_csv(study: Study, trials: list[Trial]) -> str:
    out = io.StringIO()
    head = ["study", "visit", "number", "opponent", "kind", "style", "rating", "side", "called_human", "likeness"]
    writer = csv.writer(out)
    writer.writerow([*head, *SCALES, "answered_at", "seconds", "plies", "moves", "think_seconds"])
    for trial in trials:
        if trial.state != "answered":
            continue
        hidden, given = study.opponents[trial.opponent], json.loads(trial.answer)
        writer.writerow(
            [
                *(study.id, trial.visit, trial.number + 1, _cell(hidden.label), hidden.kind, hidden.style),
                *("" if hidden.rating is None else hidden.rating, trial.side),
                *(int(given["called_human"]), "" if given["likeness"] is None else given["likeness"]),
                *(given["scales"].get(scale, "") for scale in SCALES),
                time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(trial.answered_at)),
                *(round(trial.answered_at - trial.begun_at, 1), len(trial.moves.split()), trial.moves),
                " ".join(map(str, trial.think_seconds())),
            ]
        )
    return out.getvalue()


def _cell(text: str) -> Any:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
