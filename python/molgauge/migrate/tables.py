"""Reads the option tables of the program molgauge."""

import functools
import json
import subprocess
from typing import Any, Dict, List

from .. import errors
from .._program import find_program

Option = Dict[str, Any]
Tables = Dict[str, List[Option]]


@functools.lru_cache(maxsize=None)
def tables() -> Tables:
    """Returns the options of each verb, as `molgauge --options-json` prints them (docs/reference/formats.md)."""
    program = find_program("migrate")
    ended = subprocess.run([program, "--options-json"], capture_output=True, text=True)
    if ended.returncode != 0:
        raise errors.Error(
            f"{program} --options-json ended with status {ended.returncode}: {ended.stderr.strip()}. Install the program "
            "molgauge in the same version as this package"
        )
    read: Tables = json.loads(ended.stdout)
    return read


def is_met(condition: Dict[str, Any], value: str) -> bool:
    """Whether a condition is true if the option that it names has this value."""
    is_one_of = value in condition["values"] if condition["values"] else value != ""
    return bool(is_one_of == condition["is_wanted"])
