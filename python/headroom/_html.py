"""Pieces of HTML that Jupyter shows."""

from html import escape
from typing import Iterable, Sequence


def frame(page: str, height: str = "50em") -> str:
    """A whole page in a frame, so that its style stays its own."""
    return f'<iframe style="width:100%;height:{height};border:0" srcdoc="{escape(page, quote=True)}"></iframe>'


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts."""
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
