"""Makes HTML that Jupyter shows."""

from html import escape
from typing import Iterable, List, Optional, Sequence


def frame(page: str, height: str = "50em") -> str:
    """Puts a whole page in a frame, because the style of the page must not affect the notebook."""
    return f'<iframe style="width:100%;height:{height};border:0" srcdoc="{escape(page, quote=True)}"></iframe>'


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "", drawn: Optional[int] = None) -> str:
    """Makes an HTML table of texts. The cells of the column with the index ``drawn`` are already HTML and are not
    escaped."""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if i == drawn else escape(str(cell))}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def drawings(smiles: Sequence[Optional[str]], atoms: Optional[Sequence[Optional[str]]] = None) -> List[str]:
    """Returns an SVG element for each molecule, or an empty text if it cannot be drawn. ``atoms``: for each molecule,
    the numbers of the atoms to colour."""
    from ._arrow import Table, stream_of
    from ._session import session

    columns = {"smiles": [one or "" for one in smiles]}
    if atoms is not None:
        columns["atoms"] = [one or "" for one in atoms[: len(smiles)]]
    stream = session().depict(stream_of(columns), 160, 110)
    return [one or "" for one in Table(stream)["drawing"]]
