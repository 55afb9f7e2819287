"""The command line, as a script of the package."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Becomes the program that the wheel carries."""
    program = Path(__file__).parent / "bin" / "headroom"
    if not program.exists():
        sys.exit("headroom: this installation carries no program; install Headroom's Debian package, or build it")
    os.execv(program, [str(program), *sys.argv[1:]])
