"""The documentation holds together: no link is dead, every page is in the index."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
INDEX = DOCS / "README.md"
LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCED = re.compile(r"^```.*?^```", flags=re.M | re.S)


def _links(page: Path) -> set[str]:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    return {link for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)) if "://" not in link}


def _anchors(page: Path) -> set[str]:
    """As GitHub names headings."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    heads = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head) for head in re.findall(r"^#+ (.+)$", text, flags=re.M)]
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    dead = []
    for link in _links(page):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in _anchors(target)):
            dead.append(link)
    assert not dead


def test_every_page_is_in_the_index() -> None:
    linked = {(INDEX.parent / link.partition("#")[0]).resolve() for link in _links(INDEX)}
    assert {page for page in DOCS.rglob("*.md") if page != INDEX} <= linked


def test_code_names_pages_that_are_there() -> None:
    named = re.compile(r"docs/[a-z/-]+\.md")
    gone = {
        f"{path.relative_to(ROOT)}: {page}"
        for folder in ("src", "tests", "recipes", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for page in named.findall(path.read_text(encoding="utf-8"))
        if not (ROOT / page).exists()
    }
    assert not gone
