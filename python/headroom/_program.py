"""Runs the program ``headroom``, for the verbs that need LibTorch, which is not in this package."""

import logging
import os
import shutil
import signal
import subprocess
import threading
from typing import Any, Dict, List

from . import errors

logger = logging.getLogger("headroom")

#: Lines of the program's log that the text of an error repeats at most.
_KEPT_LINES = 20


def find_program(verb: str) -> str:
    """The program: the one that HEADROOM_PROGRAM names, else the one on PATH. Raises Error where there is none."""
    named = os.environ.get("HEADROOM_PROGRAM")
    found = named or shutil.which("headroom")
    if not found:
        raise errors.Error(
            f"{verb} runs the program headroom, which is not on PATH: this package holds no LibTorch. Install Headroom's "
            "Debian packages headroom and headroom-torch, or build it (make program), or name the program in the "
            "environment variable HEADROOM_PROGRAM."
        )
    return found


def arguments_of(options: Dict[str, Any]) -> List[str]:
    """Options as the command line has them: ``memory_budget="2GiB"`` becomes ``--memory-budget 2GiB``.

    True is an option without a value. None and False leave an option out.
    """
    words: List[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.rstrip("_").replace("_", "-"))
        if value is True:
            continue
        words.append(os.fspath(value) if isinstance(value, (str, os.PathLike)) else str(value))
    return words


def run_program(verb: str, *arguments: "os.PathLike[str] | str", **options: Any) -> str:
    """Runs a verb, hands its log to the logger ``headroom``, and returns what it printed.

    Ctrl-C stops the program, which keeps what is finished.
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

    follower = threading.Thread(target=follow, name="headroom-log", daemon=True)
    follower.start()
    assert running.stdout is not None
    try:
        printed = running.stdout.read()
        status = running.wait()
    except BaseException:
        # Ctrl-C in a terminal reaches the program by itself; in a notebook it does not.
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
        own = [line[len("headroom: ") :] for line in kept if line.startswith("headroom: ")]
        raise errors.of_status(status, own[-1] if own else "\n".join(kept) or f"{words[0]} ended with status {status}")
    return printed
