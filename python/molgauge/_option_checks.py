"""Checks of keyword arguments that become options."""

import difflib
from typing import Any, Iterable, Mapping

from . import errors
from ._options import OPTIONS

#: Encoders that are accepted without asking the library. The library checks other names.
ENCODERS = ("minimol", "unimol", "ecfp")


def require_options(verb: str, options: Mapping[str, Any], further: Iterable[str] = ()) -> None:
    """Raises UsageError if the verb has no such option, or if a value is not one of the choices of the
    option. The error suggests the nearest name.

    ``further``: names of other arguments of the caller, which the error may also suggest.
    """
    known = OPTIONS[verb]
    for argument, value in options.items():
        name = argument.rstrip("_")  # from_ means the option "from", which is a keyword of Python
        if name not in known:
            names = [*further, *known]
            raise errors.UsageError(
                f"there is no option {name!r} of molgauge {verb}{_meant(name, names) or '. Available: ' + ', '.join(names)}"
            )
        if known[name] and isinstance(value, str):
            require_choice(name, value, known[name])


#: Names in other packages, with the names of the same options in Molgauge.
_ELSEWHERE = {"n_jobs": "threads", "num_workers": "threads", "num_threads": "threads", "random_state": "seed"}


def _meant(typed: str, names: Iterable[str]) -> str:
    known = list(names)
    nearest = difflib.get_close_matches(typed, known, n=1, cutoff=0.7)
    if _ELSEWHERE.get(typed) in known:
        nearest = [_ELSEWHERE[typed]]
    return f". Did you mean {nearest[0]!r}?" if nearest else ""


def require_encoder(encoder: Any) -> None:
    """Raises TypeError or UsageError if ``encoder`` is not the name of an encoder."""
    if not isinstance(encoder, str):
        raise TypeError(f"the encoder is a name such as 'ecfp', not {type(encoder).__name__}. Molecules are passed to the calls")
    if encoder not in ENCODERS:
        from ._session import session

        session().width(encoder)  # raises an error if the library does not know the encoder


def require_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raises UsageError with the nearest choice if the value is not one of the choices."""
    known = list(choices)
    if value not in known:
        raise errors.UsageError(
            f"{name}={value!r} is not supported. Choose one of {', '.join(known)}{_meant(str(value), known)}"
        )
