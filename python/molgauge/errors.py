"""The errors of Molgauge. They have the same messages as the command line."""


class Error(Exception):
    """The base class of Molgauge's errors.

    Attributes
    ----------
    code:
        The exit code of the command line for this error.

    Examples
    --------
    >>> try:
    ...     molgauge.encode(["junk"], "ecfp", on_error="raise")
    ... except molgauge.Error as problem:
    ...     problem.code
    3
    """

    code = 1


class UsageError(Error, ValueError):
    """Raised for an option that does not exist, has a wrong value, or has no effect.

    Examples
    --------
    >>> molgauge.Encoder("ecfp", thread=4)
    Traceback (most recent call last):
    molgauge.errors.UsageError: there is no option 'thread' of molgauge encode. Did you mean 'threads'?
    """

    code = 2


class InputError(Error, ValueError):
    """Raised for an unreadable file, or for an input without a valid molecule.

    Examples
    --------
    >>> molgauge.Domain.load("no-such-folder")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.InputError: no-such-folder: is not a saved domain...
    """

    code = 3


class OverBudgetError(Error, MemoryError):
    """Raised if work does not fit in the memory budget, even with the smallest batches.

    Examples
    --------
    >>> molgauge.encode(["CCO"] * 2, "ecfp", memory_budget="1MiB")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.OverBudgetError: ...
    """

    code = 4


class Interrupted(Error):
    """Raised if work was stopped. Finished work is kept.

    Examples
    --------
    >>> molgauge.Interrupted.code
    130
    """

    code = 130


_BY_CODE = {kind.code: kind for kind in (Error, UsageError, InputError, OverBudgetError, Interrupted)}


def of_status(status: int, text: str) -> Error:
    """Returns the error for a status of the C API."""
    return _BY_CODE.get(status, Error)(text)
