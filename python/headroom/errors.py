"""The errors of Headroom. Their texts are those of the command line."""


class Error(Exception):
    """Work that failed. ``code`` is the exit code that the command line would have ended with."""

    code = 1


class UsageError(Error, ValueError):
    """An option that does not exist, does not fit, or has no effect."""

    code = 2


class InputError(Error, ValueError):
    """A bad file, or no valid molecule."""

    code = 3


class OverBudgetError(Error, MemoryError):
    """Work that does not fit the memory budget even at its smallest."""

    code = 4


class Interrupted(Error):
    """Work that was stopped. What was finished is kept."""

    code = 130


_BY_CODE = {kind.code: kind for kind in (Error, UsageError, InputError, OverBudgetError, Interrupted)}


def of_status(status: int, text: str) -> Error:
    """The error for a status of the C API."""
    return _BY_CODE.get(status, Error)(text)
