"""The weights of pretrained encoders."""

import contextlib
import os
import sys
from typing import Any, Dict, Iterator, List, Optional

from ._session import session


def _request(**options: Optional[str]) -> Dict[str, str]:
    return {key: value for key, value in options.items() if value is not None}


@contextlib.contextmanager
def _own_python_first() -> Iterator[None]:
    """The library fetches wheels by the python3 on PATH; in a virtual environment that was not activated, only its own
    Python has pip for certain."""
    before = os.environ.get("PATH")
    folders = [os.path.dirname(sys.executable)] + ([before] if before else [])
    os.environ["PATH"] = os.pathsep.join(folders)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = before


def install(encoder: str = "minimol", source: Optional[str] = None, *, weights: Optional[str] = None) -> Dict[str, Any]:
    """Fetches, checks and converts an encoder's published weights; says what is installed then.

    ``source`` is a wheel, .pth, .pt, .safetensors or folder to take them from; None: the published wheel, by pip.
    ``weights`` is the folder to install into; None: $HEADROOM_HOME/weights.
    """
    request = _request(encoder=encoder, weights=weights)
    if source is not None:
        request["from"] = source
    with _own_python_first():
        return session().run("weights_install", request)


def installed(weights: Optional[str] = None) -> List[Dict[str, Any]]:
    """What is installed, with what is wrong with it; a problem is empty where the files are whole."""
    return session().run("weights_list", _request(weights=weights))
