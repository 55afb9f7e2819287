"""Raises OutOfMemoryError in scripts that catch it, at the requests that fail on the card."""

import ast
import sys
from typing import Any, Dict, Iterable, List, NamedTuple

import torch

from .replaced import Refusal, is_of_script, place_in_script
from .sizes import shown

#: Functions and options of libraries that catch the error and try a smaller batch.
_FINDERS = {"find_executable_batch_size", "auto_find_batch_size", "scale_batch_size", "BatchSizeFinder"}

#: The error of the installed PyTorch. PyTorch 2.4 has it in torch.cuda only.
_ERROR = getattr(torch, "OutOfMemoryError", torch.cuda.OutOfMemoryError)


class Failure(NamedTuple):
    """A request that fails for lack of memory. ``events`` is the number of recorded events before it."""

    events: int
    requested_bytes: int


class Failures:
    """Raises the error for the requests that fail, in their order."""

    def __init__(self, expected: Iterable[Failure], capacity: int) -> None:
        self._expected = list(expected)
        self._capacity = capacity
        self.raised: List[Dict[str, Any]] = []

    def check(self, events: int, size: int, allocated: int) -> None:
        """Raises OutOfMemoryError if the request after this number of events fails."""
        if not self._expected or events != self._expected[0].events:
            return
        if size != self._expected.pop(0).requested_bytes:
            raise Refusal("the script requests other memory when it runs again")
        self.raised.append({"place": place_in_script(), "requested_bytes": size, "in_use_bytes": allocated})
        raise _ERROR(
            f"CUDA out of memory. Tried to allocate {shown(size)}. GPU 0 has a total capacity of {shown(self._capacity)}. "
            f"{shown(allocated)} is allocated by PyTorch."
        )


def catches_out_of_memory(script: str) -> bool:
    """Whether the script, or one of its imported modules, contains a handler of OutOfMemoryError. Call it after the run."""
    files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return any(_has_handler(one) for one in {script, *(one for one in files if one and is_of_script(one))})


def _has_handler(file: str) -> bool:
    try:
        with open(file, encoding="utf-8") as opened:
            nodes = list(ast.walk(ast.parse(opened.read())))
    except (OSError, ValueError, SyntaxError):
        return False
    return any(_is_handler(one) for one in nodes)


def _is_handler(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return any(
            _name(one) == "OutOfMemoryError" or (isinstance(one, ast.Constant) and "out of memory" in str(one.value).lower())
            for one in ast.walk(node)
        )
    if isinstance(node, ast.keyword):
        return node.arg in _FINDERS and not (isinstance(node.value, ast.Constant) and not node.value.value)
    return _name(node) in _FINDERS


def _name(node: ast.AST) -> Any:
    return getattr(node, "attr", None) or getattr(node, "id", None)
