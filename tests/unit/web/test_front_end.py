"""What the front end is built from: a lock file that `npm ci` takes anywhere, and a node from somewhere."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]


def test_the_lock_file_is_whole_and_names_no_host() -> None:
    lock: dict[str, dict[str, Any]] = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    own = json.loads((ROOT / "web" / "package.json").read_text())
    assert {name: own[name] for name in ("dependencies", "devDependencies")}.items() <= lock[""].items()
    for path, package in lock.items():
        assert "resolved" not in package, path
        assert "integrity" in package or package.get("optional") or not path, path
        for kind in ("dependencies", "optionalDependencies"):
            missing = [name for name in package.get(kind, {}) if f"node_modules/{name}" not in lock]
            assert not missing, f"{path} needs {missing}: `npm ci` refuses such a lock file"


def test_without_a_node_one_line_says_so(tmp_path: Path) -> None:
    """A machine with neither node nor a virtual environment to put one in."""
    script = tmp_path / "web" / "with_node.sh"
    script.parent.mkdir()
    shutil.copy(ROOT / "web" / "with_node.sh", script)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "dirname"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    done = subprocess.run(
        [script, "sh", "-c", "echo never"], env={"PATH": str(programs)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith("the front end needs node 20.19")
