"""A self-contained HTML page from headings, tables and plots: no script, nothing loaded from elsewhere."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from hitonami import __version__
from hitonami.report.text import Table

_STYLE = """
:root { color-scheme: light dark; --ink: #23232b; --paper: #fbfaf7; --soft: #6b6b76; --line: #e2e0da; --card: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e6e1; --paper: #1b1b20; --soft: #a3a1a8; --line: #34343c; --card: #e9e7e2; }
}
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Noto Sans", "Noto Sans JP", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p.lead { color: var(--soft); margin: 0 0 1.4rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 27rem), 1fr)); gap: 1rem;
  align-items: start; }
.plots figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .6rem; }
.plots svg { width: 100%; height: auto; display: block; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
"""


def headed(rows: Sequence[Sequence[str]]) -> str:
    """A table whose first row is its head."""
    return table(rows[0], rows[1:])


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Numbers are set right, thousands apart."""
    cells = "".join(f"<th{_class(rows, at)}>{escape(text)}</th>" for at, text in enumerate(head))
    body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _class(rows: Sequence[Sequence[object]], at: int) -> str:
    return ' class="number"' if rows and isinstance(rows[0][at], int | float) else ""


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f'<td class="number">{value:,}</td>'
    if isinstance(value, float):
        return f'<td class="number">{value:,.3g}</td>'
    return f"<td>{escape(str(value))}</td>"


def plots(pictures: Sequence[str]) -> str:
    """SVG pictures side by side where there is room."""
    return '<div class="plots">' + "".join(f"<figure>{picture}</figure>" for picture in pictures) + "</div>"


def wide(picture: str) -> str:
    """A plot over the whole width."""
    style = "grid-template-columns: 1fr; margin: 0 0 1rem"
    return f'<div class="plots" style="{style}"><figure>{picture}</figure></div>'


def scrolled(block: str) -> str:
    """A wide table moves within itself, not the page."""
    return f'<div style="overflow-x: auto; white-space: nowrap">{block}</div>'


def section(title: str, *blocks: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(blocks)}</section>"


def all_sections(tables: Iterable[Table]) -> Iterator[str]:
    """A section for each table."""
    return (section(capital(title), headed(rows)) for title, rows in tables)


def capital(text: str) -> str:
    """A capital letter first, unless the word is a symbol."""
    return text[:1].upper() + text[1:] if text[1:2].isalpha() else text


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def made_by(command: str) -> str:
    """The footer of a page: the record of how it was made."""
    return f"hitonami {__version__}" + (f" · hitonami {command}" if command else "")


def page(title: str, lead: str, *sections: str, footer: str = "") -> str:
    """The whole document."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f'<h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p>{"".join(sections)}'
        f"<footer>{escape(footer)}</footer></body></html>\n"
    )
