"""Runs the program ``molgauge`` for the verbs that need LibTorch. This package does not contain LibTorch."""

import logging
import os
import shutil
import signal
import subprocess
import threading
from typing import Any, Dict, List

from . import errors

logger = logging.getLogger("molgauge")

#: Maximum number of log lines of the program that an error message repeats.
_KEPT_LINES = 20


def find_program(verb: str) -> str:
    """Returns the path of the program. The variable MOLGAUGE_PROGRAM can name it. Otherwise, the program must
    be on PATH. Raises Error if there is no program."""
    named = os.environ.get("MOLGAUGE_PROGRAM")
    found = named or shutil.which("molgauge")
    if not found:
        raise errors.Error(
            f"{verb} runs the program molgauge, which is not on PATH. This package contains no LibTorch. Install Molgauge's "
            "Debian packages molgauge and molgauge-torch, or build it (make program), or name the program in the "
            "environment variable MOLGAUGE_PROGRAM."
        )
    return found


def arguments_of(options: Dict[str, Any]) -> List[str]:
    """Converts options to the form of the command line: ``memory_budget="2GiB"`` becomes ``--memory-budget
    2GiB``.

    For True, only the name of the option is written. Options with None or False are left out. A list repeats the
    option for each item.
    """
    words: List[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words += [option, os.fspath(one) if isinstance(one, (str, os.PathLike)) else str(one)]
    return words


def run_program(verb: str, *arguments: "os.PathLike[str] | str", **options: Any) -> str:
    """Runs a verb, passes its log to the logger ``molgauge``, and returns its output.

    Ctrl-C stops the program. Finished work is kept.
    """
    words = [find_program(verb), verb, *(os.fspath(one) for one in arguments), *arguments_of(options)]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    kept: List[str] = []

    def follow() -> None:
        assert running.stderr is not None
        for line in running.stderr:
            if line.strip():
                logger.info("%s", line.rstrip())
                kept.append(line.rstrip())
                del kept[:-_KEPT_LINES]

    follower = threading.Thread(target=follow, name="molgauge-log", daemon=True)
    follower.start()
    assert running.stdout is not None
    try:
        printed = running.stdout.read()
        status = running.wait()
    except BaseException:
        # In a terminal, Ctrl-C also reaches the program. In a notebook, only this process gets the signal, so it
        # stops the program.
        if running.poll() is None:
            running.send_signal(signal.SIGINT)
        running.wait()
        raise
    finally:
        follower.join()
        running.stdout.close()
        if running.stderr is not None:
            running.stderr.close()
    if status != 0:
        own = [line[len("molgauge: ") :] for line in kept if line.startswith("molgauge: ")]
        raise errors.of_status(status, own[-1] if own else "\n".join(kept) or f"{words[0]} ended with status {status}")
    return printed
