"""Reads and prints sizes in bytes in the same way as the command line."""

import re
from typing import Union

from .. import errors

_UNITS = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")


def parse_size(text: Union[int, str], option: str) -> int:
    """Returns the number of bytes of a size such as "24GiB". Raises a UsageError that names the option."""
    if isinstance(text, int):
        return text
    found = _SIZE.fullmatch(str(text))
    if found is None or found.group(2).lower() not in _UNITS or float(found.group(1)) <= 0:
        raise errors.UsageError(f"{option} {text}: invalid size. Write a number with KiB, MiB, GiB or TiB, such as 24GiB")
    return int(float(found.group(1)) * _UNITS[found.group(2).lower()])


def shown(size: int) -> str:
    """Returns a size with three digits, such as "663 MiB"."""
    value, unit = float(size), "B"
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024 or unit == "TiB":
            break
        value /= 1024
    if unit == "B":
        return f"{size} B"
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"
