"""Replaces each call of the Python project in a command line or a script."""

from typing import List, NamedTuple, Set, Tuple

from ..errors import UsageError
from .old_command import OldCommand
from .scripts import DATA, STATEMENT, Script, ScriptCommand, read_script
from .translation import Translation
from .words import as_text, find_call, without_folders

_RUN_NOW = "molgauge migrate --run "


class MigratedCall(NamedTuple):
    """The replacement of one call of the Python project.

    Attributes
    ----------
    line:
        The line of the text, from 1.
    program:
        The program of the Python project, for example "main.py".
    commands:
        The commands of Molgauge, in the order in which they run. Empty if there is no counterpart.
    warnings:
        The settings that have another meaning or no counterpart, with the reason.

    Examples
    --------
    >>> MigratedCall(1, "main.py", ["molgauge demo"], []).commands
    ['molgauge demo']
    """

    line: int
    program: str
    commands: List[str]
    warnings: List[str]


def _run_now(script: Script, command: ScriptCommand) -> str:
    """Returns a command `molgauge migrate --run` with the unchanged arguments of the call. It translates the call at
    run time and executes it."""
    return _RUN_NOW + command.words[0] + script.text[command.arguments : command.end]


def _why_run_now(question: str) -> str:
    return f"its translation depends on {question}, so it is translated when it is executed"


def _can_stand(made: Translation, place: str) -> bool:
    """Whether the translated lines can replace the call in the script."""
    is_one = len(made.lines) == 1 and "|" not in made.lines[0] and "\n" not in made.lines[0]
    has_document = any("\n" in line for line in made.lines)
    can_be_several = place == STATEMENT and not has_document
    return not made.open_question and bool(made.lines) and (is_one or can_be_several)


def _in_place(lines: List[str]) -> str:
    return lines[0] if len(lines) == 1 else "{ " + " && ".join(lines) + "; }"


class _ScriptMigration:
    def __init__(self, text: str) -> None:
        self._script = read_script(text)
        self._replacements: List[Tuple[int, int, str]] = []  #: begin and end of a part of the script, and its new text
        self._remarks: Set[Tuple[int, str]] = set()  #: by line number

    def migrated(self) -> str:
        for command in self._script.commands:
            self._replace(command)
        for begin, end, program in self._script.mentions:
            self._replacements.append((begin, end, _RUN_NOW + program))
            line = 1 + self._script.text.count("\n", 0, begin)
            self._remark(line, program, "it is in a text and is translated when it is executed")
        return self._with_remarks(self._with_replacements()) if self._replacements else ""

    def _remark(self, line: int, program: str, text: str) -> None:
        self._remarks.add((line, f"#   line {line}, {program}: {text}\n"))

    def _replace(self, command: ScriptCommand) -> None:
        made = Translation(OldCommand(command.words), self._script.values)
        line, program = command.line, command.words[0]
        # If the translation depends on an unknown value, the call is translated at run time, and its remarks
        # are printed then.
        if not made.open_question or command.place == DATA:
            for warning in made.warnings:
                self._remark(line, program, warning)
        if self._script.is_python:
            text = f'"molgauge", "migrate", "--run", "{program}"'
            self._replacements.append((command.begin, command.arguments, text))
            self._remark(line, program, "it is a Python list and is translated when it is executed")
        elif command.place == DATA:
            self._replacements.append((command.begin, command.arguments, _RUN_NOW + program))
            self._remark(line, program, "it is translated when it is executed")
        elif _can_stand(made, command.place):
            self._replacements.append((command.begin, command.end, _in_place(made.lines)))
        else:
            self._replacements.append((command.begin, command.end, _run_now(self._script, command)))
            several = "it becomes several commands, and is translated when it is executed"
            self._remark(line, program, _why_run_now(made.open_question) if made.open_question else several)

    def _with_replacements(self) -> str:
        text, done = "", 0
        for begin, end, replacement in sorted(self._replacements, key=lambda one: one[0]):
            if begin >= done:  # a call in the arguments of another call is not changed
                text += self._script.text[done:begin] + replacement
                done = end
        return text + self._script.text[done:]

    def _with_remarks(self, text: str) -> str:
        """Writes the remarks after the line that names the interpreter."""
        first, line_break, rest = text.partition("\n") if text.startswith("#!") else ("", "", text)
        remarks = "# Written by molgauge migrate from a script of the Python project. Line numbers refer to that script.\n"
        return first + line_break + remarks + "".join(remark for _, remark in sorted(self._remarks)) + rest


def migrate(script_or_command: str) -> List[MigratedCall]:
    """Translates the calls in a command line or a script.

    If the replacement depends on the value of a variable, it is `molgauge migrate --run` with the unchanged arguments. That
    command translates and executes them at run time.

    Parameters
    ----------
    script_or_command:
        The text of a shell script, of a Python script, or of a command.

    Returns
    -------
    list of MigratedCall
        The replacement of each call, in the order of the text.

    Examples
    --------
    >>> migrate("python main.py --mode train --dataset lbap --output_dir out")[0].program
    'main.py'
    """
    script = read_script(script_or_command)
    calls = []
    for command in script.commands:
        made = Translation(OldCommand(command.words), script.values)
        lines, warnings = made.lines, made.warnings
        if made.open_question and command.place != DATA:
            lines, warnings = [_run_now(script, command)], [_why_run_now(made.open_question)]
        calls.append(MigratedCall(command.line, command.words[0], lines, warnings))
    return calls


def migrated_script(script: str) -> str:
    """Replaces each call in a script. The loops, variables, tests and redirections of the script do not change.

    Comments at the beginning list the settings that changed.

    Parameters
    ----------
    script:
        The text of a shell script or of a Python script.

    Returns
    -------
    str
        The new script. Empty if the script has no call.

    Examples
    --------
    >>> migrated_script("echo nothing to migrate")
    ''
    """
    return _ScriptMigration(script).migrated()


def migrate_words(words: List[str]) -> MigratedCall:
    """Translates one call.

    Parameters
    ----------
    words:
        The program with its arguments. An interpreter may precede the program.

    Returns
    -------
    MigratedCall
        The replacement.

    Raises
    ------
    UsageError
        If the program is not part of the Python project.

    Examples
    --------
    >>> migrate_words(["ls", "-l"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    molgauge.errors.UsageError: ls: not a program of the Python project. ...
    """
    plain = [as_text(word) for word in words]
    call = find_call(plain)
    if call.program >= len(plain):
        raise UsageError(
            f"{words[0] if words else 'migrate --run'}: not a program of the Python project. To translate and "
            "execute a call, run: molgauge migrate --run main.py --mode train ..."
        )
    program = without_folders(plain[call.program])
    made = Translation(OldCommand([program, *plain[call.program + 1 :]]))
    return MigratedCall(1, program, made.lines, made.warnings)
