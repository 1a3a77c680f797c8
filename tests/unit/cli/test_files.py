"""Files that commands write: checked first, written and told last."""

import json
from pathlib import Path

import pytest

from hitonami.cli._files import check_folders, write_figures, write_file
from hitonami.errors import BadInput


def test_a_missing_folder_is_told_before_any_work(tmp_path: Path) -> None:
    check_folders([None, tmp_path / "file.json"])
    with pytest.raises(BadInput, match="no folder"):
        check_folders([tmp_path / "nowhere" / "file.json"])


def test_what_is_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figures, page = tmp_path / "a.json", tmp_path / "a.html"
    write_figures(figures, {"name": "名", "value": 0.5})
    write_file(page, "<p>", err=True)
    told = capsys.readouterr()
    assert (told.out, told.err) == (f"wrote {figures}\n", f"wrote {page}\n")
    assert json.loads(figures.read_text(encoding="utf-8")) == {"name": "名", "value": 0.5}
    assert page.read_text(encoding="utf-8") == "<p>"


def test_a_file_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written: Is a directory"):
        write_file(tmp_path, "text")


def test_no_number_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_figures(tmp_path / "a.json", {"value": float("nan")})
    assert not (tmp_path / "a.json").exists()
