"""Checks of keyword arguments that become options."""

import difflib
from typing import Any, Iterable, Mapping

from . import errors
from ._options import OPTIONS


def require_options(verb: str, options: Mapping[str, Any], further: Iterable[str] = ()) -> None:
    """Raises UsageError if the verb has no such option, or if a value is not one of the choices of the
    option. The error suggests the nearest name.

    ``further``: names of other arguments of the caller, which the error may also suggest.
    """
    known = OPTIONS[verb]
    for argument, value in options.items():
        name = argument.rstrip("_")  # from_ is the option from, which is a word of Python
        if name not in known:
            raise errors.UsageError(f"there is no option {name!r} of headroom {verb}{_meant(name, [*known, *further])}")
        if known[name] and isinstance(value, str) and value not in known[name]:
            raise errors.UsageError(
                f"{name}={value!r} is not supported. Choose one of {', '.join(known[name])}{_meant(value, known[name])}"
            )


def _meant(typed: str, names: Iterable[str]) -> str:
    nearest = difflib.get_close_matches(typed, list(names), n=1)
    return f". Did you mean {nearest[0]!r}?" if nearest else ""
