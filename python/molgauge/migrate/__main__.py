"""Implements the command line ``python -m molgauge.migrate``, which `molgauge migrate` runs."""

import argparse
import os
import re
import shlex
import sys
from typing import List, NoReturn

from .. import errors
from .._program import find_program
from .calls import migrate, migrate_words, migrated_script
from .old_options import as_markdown
from .summaries import write_summaries
from .words import shell_quoted


#: The longest script that is translated, in characters.
_LONGEST_SCRIPT = 200_000


def _printable(text: str) -> str:
    """Replaces control characters by escapes, except for line breaks."""
    return re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found.group()):02x}", text)


def _refuse(name: str) -> NoReturn:
    raise errors.InputError(
        f"{name}: no call of main.py, main_generalization.py, prediction.py, baselines.py or an experiment script was found"
    )


def _print(words: List[str]) -> None:
    """Prints the translation of a script or of a command line. A command line can be one argument or several.

    The output is a script, in which remarks are comments.
    """
    if not words:
        raise errors.UsageError("migrate: name a script, or give a command line: molgauge migrate python main.py ...")
    text = words[0] if len(words) == 1 else "".join(shell_quoted(word) + " " for word in words)
    if len(words) == 1 and os.path.isfile(words[0]):
        with open(words[0], encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read(_LONGEST_SCRIPT + 1)
        if len(text) > _LONGEST_SCRIPT:
            raise errors.InputError(
                f"{words[0]}: is longer than {_LONGEST_SCRIPT} characters. Name a script that calls the Python project"
            )
        if text.startswith("#!") or "\n" in text:
            sys.stdout.write(migrated_script(text) or _refuse(words[0]))
            return
    for call in migrate(text) or _refuse(words[0]):
        print(f"# line {call.line}: {call.program}")
        for warning in call.warnings:
            print(_printable(f"#   {warning}"))
        for command in call.commands:
            print(_printable(command))


def _execute(words: List[str], quiet: bool) -> NoReturn:
    """Replaces this process by a shell that executes the translation of the call.

    Shows the commands and the remarks on stderr, unless `quiet`.
    """
    call = migrate_words(words)
    if not call.commands:
        raise errors.UsageError(f"{call.program}: there is no counterpart of this call: {'; '.join(call.warnings)}")
    if not quiet:
        for line in [f"# {call.program}: {warning}" for warning in call.warnings] + call.commands:
            print(_printable(line), file=sys.stderr)
    program = f'molgauge() {{ {shlex.quote(find_program("migrate"))} "$@"; }}'
    sys.stderr.flush()
    os.execv("/bin/sh", ["sh", "-c", "\n".join(["set -e", program, *call.commands, ""])])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m molgauge.migrate",
        description="Translate commands of Mole-PAIR, the Python project that Molgauge replaces",
        allow_abbrev=False,
    )
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--options", action="store_true", help="List every option of the Python project and its counterpart"
    )
    kinds.add_argument(
        "--run", action="store_true", help="Translate a call and execute it: --run main.py --mode train ..."
    )
    kinds.add_argument(
        "--summaries",
        action="store_true",
        help="Write the summaries of a finished matrix in the form of the Python project: --summaries FOLDER",
    )
    parser.add_argument("--quiet", action="store_true", help="Print only errors and results")
    parser.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="SCRIPT | COMMAND", help="python main.py --mode train ..."
    )
    return parser


def main(arguments: List[str]) -> int:
    given = _parser().parse_args(arguments)
    try:
        if given.options:
            sys.stdout.write(as_markdown())
        elif given.run:
            _execute(given.words, given.quiet)
        elif given.summaries:
            if len(given.words) != 1:
                raise errors.UsageError("migrate: --summaries takes one folder, the --out of molgauge experiment")
            write_summaries(given.words[0])
        else:
            _print(given.words)
        sys.stdout.flush()
    except errors.Error as problem:
        print(_printable(f"molgauge: {problem}"), file=sys.stderr)
        return problem.code
    except OSError as problem:
        print(_printable(f"molgauge: {problem.filename or 'standard output'}: {problem.strerror}"), file=sys.stderr)
        sys.stdout = open(os.devnull, "w")  # Otherwise, Python would write the rest of its buffer at exit.
        return errors.InputError.code if problem.filename else errors.Error.code
    return 0


if __name__ == "__main__":
    # A script may contain bytes that are not UTF-8.
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(main(sys.argv[1:]))
