"""Checks the files that a function writes, before it starts."""

import os
from typing import Dict, Optional, Union

from .errors import UsageError

Path = Union[str, "os.PathLike[str]"]


def _is_same(one: Path, other: Path) -> bool:
    """Tells whether both names lead to one file, also through links."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def require_apart(outputs: Dict[str, Optional[Path]], inputs: Dict[str, Optional[Path]]) -> None:
    """Checks that no output replaces an input or another output, as the program does.

    Parameters
    ----------
    outputs:
        The files to write by the name of their argument. None is left out.
    inputs:
        The files that are read, by their description. None is left out.

    Raises
    ------
    UsageError
        If an output is one of the inputs or another output, is a folder, or lies in a folder that does not exist.
    """
    given = {name: os.fspath(path) for name, path in outputs.items() if path is not None}
    for name, path in given.items():
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            raise UsageError(f"{name} {path}: the folder {folder} does not exist. Create it, or name another file")
        if os.path.isdir(path):
            raise UsageError(f"{name} {path}: is a folder. Name a file")
        for read, other in inputs.items():
            if other is not None and _is_same(path, other):
                raise UsageError(f"{name} {path}: would replace {read}. Name another file")
        for written, other in given.items():
            if written != name and _is_same(path, other):
                raise UsageError(f"{name} {path}: is also written for {written}. Name another file")
