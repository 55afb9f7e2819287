"""Finds the calls in a command line, a shell script or a Python script. Nothing in the text is executed."""

from typing import List, NamedTuple

from .known_values import KnownValues
from .words import Mention

#: The place of a call in the script. It limits how the call can be replaced.
STATEMENT = "statement"  #: the call is a separate command. Several commands in braces can replace it
ARGUMENT = "argument"  #: the call follows a word such as nohup or A=1. One command can replace it
#: The call is in an array or a list, or has a redirection among its arguments. Only its name can be replaced.
DATA = "data"


class ScriptCommand(NamedTuple):
    """A call of a program of the Python project."""

    line: int  #: line of the text at which it starts, from 1
    words: List[str]  #: the program without folders, then its arguments (words.py)
    place: str = STATEMENT
    begin: int = 0  #: position in the text where the call begins, including its interpreter
    arguments: int = 0  #: position after the name of the program
    end: int = 0  #: position after the last argument


class Script:
    """The calls in a text. Their positions are positions in `text`."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\0", "")
        self.commands: List[ScriptCommand] = []
        self.mentions: List[Mention] = []
        self.values = KnownValues()  #: values of the variables of a shell script
        self.is_python = _is_python(self.text)


def _is_python(text: str) -> bool:
    """Whether this is a Python script. Its first line says so, or it contains an import."""
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        return "python" in first
    return text.startswith("import ") or "\nimport " in text


def read_script(text: str) -> Script:
    """Finds the calls. Variables and "$(...)" are not changed. Raises InputError if a Python script has an
    error."""
    from .python_script import read_python
    from .shell_script import read_shell

    script = Script(text)
    if script.is_python:
        read_python(script)
    else:
        read_shell(script)
    return script
