"""Where the memory of a PyTorch program went."""

import contextlib
import os
import pickle
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Union

from ._session import session

Snapshot = Union[str, "os.PathLike[str]", Dict[str, Any]]


class Explanation(Dict[str, Any]):
    """The explanation of a recording: the JSON of ``headroom memory explain`` (docs/formats.md), with names.

    Printed, it is the verdict in sentences; Jupyter shows it with the page, if one was asked for.
    """

    def __init__(self, content: Dict[str, Any], page: Optional[str] = None) -> None:
        super().__init__(content)
        self.page = page

    @property
    def verdict(self) -> str:
        """What happened, in a sentence or two."""
        return self["verdict_text"]

    @property
    def cause(self) -> str:
        """What in the program made it so; empty where that is not known."""
        return self["cause_text"]

    @property
    def cure(self) -> str:
        """What would help; empty where nothing needs to be changed."""
        return self["cure_text"]

    @property
    def holders(self) -> List[Dict[str, Any]]:
        """Who held the memory at the explained moment, the largest first."""
        return self["holders"]

    def __str__(self) -> str:
        return "\n".join(text for text in (self.verdict, self.cause, self.cure) if text)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape

        text = "".join(f"<p>{escape(line)}</p>" for line in str(self).splitlines())
        if self.page is None:
            return text
        with open(self.page, encoding="utf-8") as file:
            content = escape(file.read(), quote=True)
        return text + f'<iframe style="width:100%;height:40em;border:0" srcdoc="{content}"></iframe>'


@contextlib.contextmanager
def _file_of(snapshot: Snapshot) -> Iterator[str]:
    """The snapshot as a file; what torch.cuda.memory._snapshot() returns is written to a temporary one."""
    if not isinstance(snapshot, (dict, list)):
        yield os.fspath(snapshot)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "snapshot.pickle")
        with open(path, "wb") as file:
            pickle.dump(snapshot, file, protocol=4)
        yield path


def explain(
    snapshot: Snapshot,
    *,
    device: Union[int, str, None] = None,
    capacity: Union[int, str, None] = None,
    setting: Optional[str] = None,
    page: Optional[str] = None,
) -> Explanation:
    """Says why memory ran out or was wasted, and what would have cured it.

    Parameters
    ----------
    snapshot:
        A file that ``torch.cuda.memory._dump_snapshot()`` or ``headroom --memory-trace`` wrote, or what
        ``torch.cuda.memory._snapshot()`` returns.
    device:
        Number of a device; None: where memory ran out, else the one that reserved the most.
    capacity:
        Memory of the card, as "24GiB" or in bytes; None: as recorded, else without limit.
    setting:
        Explain the run under this PYTORCH_CUDA_ALLOC_CONF; None: as recorded.
    page:
        Page to write.
    """
    with _file_of(snapshot) as file:
        request: Dict[str, Any] = {"file": file}
        for key, value in {"capacity": capacity, "setting": setting, "html": page}.items():
            if value is not None:
                request[key] = value
        if device is not None:
            request["device"] = str(device)
        return Explanation(session().run("explain", request), page)
