"""What commands tell and write: places checked first, files written and told last, printed JSON alone."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from hitonami.cli._files import check_folders, say, tell, write_file
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput


@click.command(cls=Reporting)
@click.argument("value", type=float)
def command(value: float) -> None:
    tell(["for people"], lambda: {"name": "名", "value": value})
    say("a remark")


def call(*words: str) -> Result:
    return CliRunner().invoke(command, words, catch_exceptions=False)


def test_a_missing_folder_is_told_before_any_work(tmp_path: Path) -> None:
    check_folders([None, tmp_path / "file.json"])
    with pytest.raises(BadInput, match="no folder"):
        check_folders([tmp_path / "nowhere" / "file.json"])


def test_what_is_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a.html"
    write_file(page, "<p>")
    told = capsys.readouterr()
    assert (told.out, told.err) == (f"wrote {page}\n", "")
    assert page.read_text(encoding="utf-8") == "<p>"


def test_lines_are_for_people_and_figures_for_programs(tmp_path: Path) -> None:
    figures = tmp_path / "a.json"
    assert (call("0.5").stdout, call("0.5").stderr) == ("for people\na remark\n", "")
    written = call("0.5", "--json", str(figures))
    assert (written.stdout, written.stderr) == (f"for people\nwrote {figures}\na remark\n", "")
    assert json.loads(figures.read_text(encoding="utf-8")) == {"name": "名", "value": 0.5}
    for words in (("0.5", "--json"), ("0.5", "--json", "-"), ("--json=-", "0.5"), ("--json", "--", "0.5")):
        printed = call(*words)
        assert (printed.stdout, printed.stderr) == (figures.read_text(encoding="utf-8"), "a remark\n")


def test_a_file_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written: Is a directory"):
        write_file(tmp_path, "text")


def test_no_number_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        call("nan", "--json", str(tmp_path / "a.json"))
    assert not (tmp_path / "a.json").exists()
