"""Makes HTML that Jupyter shows."""

from html import escape
from typing import Iterable, List, Optional, Sequence


def frame(page: str, height: str = "50em") -> str:
    """Puts a whole page in a frame, because its style must not affect the notebook."""
    return f'<iframe style="width:100%;height:{height};border:0" srcdoc="{escape(page, quote=True)}"></iframe>'


def table(header: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "", drawn: Optional[int] = None) -> str:
    """Makes a table of texts. The column with the number ``drawn`` is HTML."""
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if i == drawn else escape(str(cell))}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def drawings(smiles: Sequence[Optional[str]], atoms: Optional[Sequence[Optional[str]]] = None) -> List[str]:
    """SVG elements of molecules. Empty if a molecule cannot be drawn. ``atoms``: numbers of the coloured atoms."""
    from ._arrow import Table, stream_of
    from ._session import session

    columns = {"smiles": [one or "" for one in smiles]}
    if atoms is not None:
        columns["atoms"] = [one or "" for one in atoms[: len(smiles)]]
    stream = session().depict(stream_of(columns), 160, 110)
    return [one or "" for one in Table(stream)["drawing"]]
