"""Runs a script and records its GPU memory."""

import os
import runpy
import sys
import traceback
from types import TracebackType
from typing import List, Optional

from . import errors
from ._paths import require_apart
from .explanations import watch


def _frames_of_script(problem: BaseException) -> Optional[TracebackType]:
    """Returns the traceback without the frames of runpy and of this package."""
    trace = problem.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name != __file__ and "runpy" not in name:
            return trace
        trace = trace.tb_next
    return problem.__traceback__


def run_script(
    script: str,
    arguments: List[str],
    snapshot: Optional[str] = None,
    capacity: Optional[str] = None,
    page: Optional[str] = None,
    max_entries: int = 1_000_000,
) -> int:
    """Runs ``python script arguments``. If memory runs out, writes a snapshot, explains it and returns 1.

    Parameters
    ----------
    script:
        The Python script.
    arguments:
        The arguments of the script.
    snapshot:
        The snapshot to write if memory runs out. If None, the name of the script with ".oom.pickle".
    capacity, page, max_entries:
        As in ``watch``.

    Returns
    -------
    int
        The exit code of the script.

    Raises
    ------
    InputError
        If the script does not exist.

    Examples
    --------
    >>> run_script("no-such-script.py", [])
    Traceback (most recent call last):
    memgauge.errors.InputError: no-such-script.py: the file does not exist. Name the Python script to run
    """
    if not os.path.isfile(script):
        raise errors.InputError(f"{script}: the file does not exist. Name the Python script to run")
    require_apart({"--snapshot": snapshot, "--page": page}, {"the script": script})
    path = snapshot or os.path.splitext(os.path.basename(script))[0] + ".oom.pickle"
    old_arguments, old_path = sys.argv, list(sys.path)
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    try:
        with watch(path, capacity=capacity, page=page, max_entries=max_entries):
            runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)  # as Python does for sys.exit("text")
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except Exception as problem:
        traceback.print_exception(type(problem), problem, _frames_of_script(problem))
        return 1
    finally:
        sys.argv, sys.path[:] = old_arguments, old_path
    return 0
