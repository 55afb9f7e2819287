"""Finds the texts that the variables of a shell script can have, from its assignments and `for` loops."""

import re
from typing import Dict, List, Optional, Set

from .words import NAME, SHELL_KEYWORDS, readable

_DECLARING = ("export", "local", "declare", "readonly", "typeset")
_READING = ("read", "mapfile", "readarray", "getopts", "printf")
_ASSIGNMENT = re.compile(rf"((?![0-9]){NAME}+)(\+?)=(.*)", re.DOTALL)
#: Matches $A, ${A}, ${A[@]} and ${A[*]}.
_VARIABLE = re.compile(rf"\$({NAME}+)|\$\{{({NAME}+)(?:\[[@*]\])?\}}")


class _Values:
    def __init__(self) -> None:
        self.texts: Set[str] = set()
        self.sources: Set[str] = set()  #: variables whose values were assigned to this variable
        self.is_unknown = False


class KnownValues:
    """The known values of the variables of a script. The script is not executed. If an assigned word contains
    anything other than plain text or one variable, the values of the variable are unknown."""

    def __init__(self) -> None:
        self._values: Dict[str, _Values] = {}

    def _of_name(self, name: str) -> _Values:
        return self._values.setdefault(name, _Values())

    def _add(self, name: str, word: str) -> None:
        values, source = self._of_name(name), _VARIABLE.fullmatch(word)
        if "$" not in word:
            values.texts.add(readable(word))
        elif source:
            values.sources.add(source.group(1) or source.group(2))
        else:
            values.is_unknown = True

    def learn_array(self, name: str, items: List[str]) -> None:
        """Reads an assignment to an array, such as A=(b c) or A+=(d)."""
        for item in items:
            self._add(name, item)

    def learn(self, words: List[str]) -> None:
        """Reads the assignments of a command: A=b c, export A=b, for A in b "${C[@]}", read A."""
        if "for" in words:
            loop = words[words.index("for") + 1 :]
            if loop[1:2] == ["in"]:
                for word in loop[2:]:
                    self._add(loop[0], word)
                return
        is_declaration = is_reading = False
        for word in words:
            assignment = _ASSIGNMENT.match(word)
            if is_reading:
                self._of_name(word).is_unknown = True
            elif assignment:
                name, is_longer, value = assignment.groups()
                self._add(name, value)
                self._of_name(name).is_unknown |= bool(is_longer)
            elif word in _READING:
                is_reading = True
            elif word in _DECLARING:
                is_declaration = True
            elif not is_declaration and word not in SHELL_KEYWORDS:
                return  # the other words are arguments of a command

    def _collect(self, name: str, seen: Set[str], texts: Set[str]) -> bool:
        if name in seen:
            return True
        seen.add(name)
        values = self._values.get(name)
        if values is None or values.is_unknown:
            return False
        texts |= values.texts
        return all(self._collect(source, seen, texts) for source in sorted(values.sources))

    def of(self, word: str) -> Optional[Set[str]]:
        """Returns the possible texts of a word. They are the word itself, or the values of its variable. Returns None
        if they are unknown."""
        if "$" not in word:
            return {word}
        variable = _VARIABLE.fullmatch(word)
        texts: Set[str] = set()
        if not variable or not self._collect(variable.group(1) or variable.group(2), set(), texts):
            return None
        return texts or None
