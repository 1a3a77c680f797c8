"""What commands about manners say before they read games."""

from pathlib import Path

import pytest

from hitonami.cli._manners import warn_of_kept
from hitonami.errors import UnknownPart
from hitonami.fits.manners_run import MannersWish
from hitonami.judging.mates import MateWish


def test_kept_turns_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warn_of_kept(None, "draws")
    warn_of_kept(tmp_path / "not-yet", "draws")
    (tmp_path / "resign-train.npz").touch()
    warn_of_kept(tmp_path, "draws")
    assert capsys.readouterr().err == ""
    warn_of_kept(tmp_path, "resign")
    assert f"kept in {tmp_path}" in capsys.readouterr().err


def test_a_mind_that_does_not_exist_is_told_at_once() -> None:
    with pytest.raises(UnknownPart, match="nomind"):
        MannersWish("chess", 3, "none", "nomind")
    with pytest.raises(UnknownPart, match="nomind"):
        MateWish("chess", ("human", "nomind"))
