"""Quotes the words of a shell, and finds calls of the Python project among them.

A word is a text in which a plain ``$`` begins a substitution of the shell. TEXT_DOLLAR stands for a ``$``
that is text, because it was quoted or escaped, or comes from a Python string.
"""

import re
from functools import lru_cache
from typing import Dict, List, NamedTuple

#: A character that no word of a shell contains.
TEXT_DOLLAR = "\0"

PROGRAMS = (
    "main.py",
    "main_generalization.py",
    "prediction.py",
    "baselines.py",
    "run_ablation_study.py",
    "run_experiments.sh",
    "run_ablation.sh",
    "run_baselines.sh",
    "run_good_experiments.sh",
    "run_cross_dataset_experiments.sh",
    "run_finetune_comparison.sh",
)

#: Shell keywords that a command can follow.
SHELL_KEYWORDS = frozenset(("do", "then", "else", "elif", "if", "while", "until", "!", "{", "time"))

NAME = "[A-Za-z0-9_]"


def as_text(text: str) -> str:
    """Returns the text as a word in which every ``$`` is plain text."""
    return text.replace("$", TEXT_DOLLAR)


def readable(word: str) -> str:
    """Returns a word as it appears in a remark, on one line."""
    return word.replace(TEXT_DOLLAR, "$").replace("\n", " ")


@lru_cache(maxsize=1)
def _ends_of_brackets(word: str) -> Dict[int, int]:
    """Maps the position of each closed bracket to the position after its closing bracket. Takes one pass."""
    ends = {}
    open_brackets: Dict[str, List[int]] = {"}": [], ")": []}
    for i, character in enumerate(word):
        if character in "{(":
            open_brackets["}" if character == "{" else ")"].append(i)
        elif character in "})" and open_brackets[character]:
            ends[open_brackets[character].pop()] = i + 1
    return ends


def _end_of_bracket(word: str, place: int) -> int:
    """Returns the position after the bracket that closes the bracket at `place`. Returns `place` if it is
    not closed."""
    return _ends_of_brackets(word).get(place, place)


def _end_of_expansion(word: str, place: int) -> int:
    """Returns the position after the substitution at `place`, or after a single `$`. Returns `place` if there is
    plain text."""
    if word[place] != "$":
        return place
    if word[place + 1 : place + 2] in ("{", "("):
        end = _end_of_bracket(word, place + 1)
        return place if end == place + 1 else end
    return place + 1


def _double_quoted(word: str) -> str:
    quoted = '"'
    end = 0  # position after the current substitution
    for i, character in enumerate(word):
        end = end if i < end else _end_of_expansion(word, i)
        if character == TEXT_DOLLAR:
            quoted += "\\$"
        else:
            quoted += ("\\" if i >= end and character in '"`\\$' else "") + character
    return quoted + '"'


def shell_word(word: str) -> str:
    """Quotes a word for a shell. Substitutions stay active in double quotes. The rest is plain text."""
    if "$" in word:
        return _double_quoted(word)
    if re.fullmatch(r"[A-Za-z0-9_./:=,+@%-]+", word):
        return word
    return "'" + word.replace("'", "'\\''").replace(TEXT_DOLLAR, "$") + "'"


def shell_quoted(word: str) -> str:
    """Quotes a word that a shell has already read. Its variables stay active, and the rest is plain text."""
    variable = rf"\$(?={NAME}|\{{{NAME}+\}})"
    return shell_word(re.sub(rf"({variable})|\$", lambda found: found.group(1) or TEXT_DOLLAR, word))


def without_folders(word: str) -> str:
    return word.rpartition("/")[2]


def is_program(word: str) -> bool:
    """Whether the word names a program of the Python project, for example main.py or ./src/baselines.py."""
    return without_folders(word) in PROGRAMS


def is_interpreter(word: str) -> bool:
    """Whether the word names an interpreter, for example python3, /usr/bin/python, "$PYTHON", {sys.executable} or
    bash."""
    name = without_folders(word).lower()
    return (
        name.startswith("python")
        or name in ("bash", "sh", "sys.executable", "{sys.executable}")
        or (word[:1] in ("$", "{") and "py" in name)
    )


class CallWords(NamedTuple):
    """The words of a call, as positions in the words of a command."""

    begin: int  #: the interpreter, or the program itself
    program: int  #: the program, or the number of words if there is no call


def find_call(words: List[str]) -> CallWords:
    program = next((i for i, word in enumerate(words) if is_program(word)), len(words))
    if program in (0, len(words)):
        return CallWords(program, program)
    for i in range(program - 1, -1, -1):
        if is_interpreter(words[i]):
            return CallWords(i, program)
    # Without an interpreter, only a script that is executed by its path is a call, for example after nohup.
    is_path = "/" in words[program] and words[program].endswith(".sh")
    return CallWords(program, program) if is_path else CallWords(len(words), len(words))


class Mention(NamedTuple):
    """A call inside a text of a script. It extends from the interpreter to the name of the program.

    The script later executes or prints the text. An example is the text "python main.py $ARGS".
    """

    begin: int
    end: int
    program: str


def find_mentions(text: str, begin: int, end: int) -> List[Mention]:
    """Finds the calls between two positions of a text. A call is an interpreter, optional options, and the
    program."""
    mentions = []
    interpreter = -1
    for token in re.compile(r"[^ \t\r\n\"'\\]+").finditer(text, begin, end):
        word = token.group()
        if is_interpreter(word):
            interpreter = token.start()
        elif is_program(word) and (interpreter >= 0 or word.startswith("./")):
            first = interpreter if interpreter >= 0 else token.start()
            mentions.append(Mention(first, token.end(), without_folders(word)))
            interpreter = -1
        elif not word.startswith("-"):
            interpreter = -1
    return mentions
