"""Finds the calls in a shell script or a command line. Handles quotes, substitutions, continued lines, comments,
arrays and redirections.

shlex cannot be used, because it does not return positions, splits "$(date +%F)", and does not tell whether a `$` was
quoted.
"""

import re
from typing import List, NamedTuple, Optional

from .scripts import ARGUMENT, DATA, STATEMENT, Script, ScriptCommand
from .words import NAME, SHELL_KEYWORDS, as_text, find_call, find_mentions, without_folders

#: Maximum depth of nested substitutions.
_DEEPEST = 32


def end_of_substitution(text: str, place: int) -> int:
    """Returns the end of ${...}, $(...) or `...` at `place`. This is the position after its last
    character, or the end of the text if it is not closed.

    Quotes and substitutions inside it are read as a shell reads them.
    """
    i = place + 1
    if text[place] == "`":
        while i < len(text) and text[i] != "`":
            i += 2 if text[i] == "\\" else 1
        return min(i + 1, len(text))
    depth = 0
    quote = ""  # the quote character that is open, or empty
    while i < len(text):
        here = text[i]
        if here == "\\" and quote != "'":
            i += 1
        elif quote == "'" or (here in "'\"" and quote in ("", here)):
            quote = "" if here == quote else quote or here
        elif here in "{(":
            depth += 1
        elif here in "})":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return len(text)


class _Word(NamedTuple):
    text: str
    begin: int
    end: int


class _ShellReader:
    """Splits words as a shell does. A command ends at the end of a line or at ; & | ( )."""

    def __init__(self, script: Script, begin: int, end: int, line: int, depth: int = 0) -> None:
        self._script = script
        self._text = script.text[:end]
        self._position = begin
        self._line = self._start = line
        self._depth = depth
        self._word: Optional[str] = None  #: the word that is being read
        self._word_begin = 0
        self._array = ""  #: name of the array whose items are read
        self._words: List[_Word] = []
        self._redirected = False  #: a file follows, not an argument
        self._has_redirection = self._has_inner_redirection = False

    def read(self) -> None:
        while self._position < len(self._text):
            self._step()
        self._end_word()
        self._end_command()

    def _step(self) -> None:
        here = self._text[self._position]
        if here == "\\" and self._position + 1 < len(self._text):
            self._read_escaped()
        elif here in "'\"":
            self._read_quoted(here)
        elif here == "#" and self._word is None:
            end = self._text.find("\n", self._position)
            self._position = end if end >= 0 else len(self._text)
        elif self._is_substitution():
            self._add("")
            self._read_substitution()
        elif here in "\n;&|()<>":
            self._read_operator(here)
        elif here in " \t\r\v\f":
            self._end_word()
            self._position += 1
        else:
            self._add(here if self._is_alive() else as_text(here))
            self._position += 1

    def _read_escaped(self) -> None:
        escaped = self._text[self._position + 1]
        if escaped == "\n":
            self._line += 1
        else:
            self._close_variable()
            self._add(as_text(escaped))
        self._position += 2

    def _read_operator(self, here: str) -> None:
        if here == "(" and self._word is not None and self._word.endswith("="):  # an array such as A=(b c)
            self._array = re.split("[+=]", self._word)[0]
            self._word = None
        elif here in "<>":
            if self._word is not None and re.fullmatch("[0-9]*", self._word):
                self._word = None  # the 2 in 2> is not an argument
            self._end_word()
            self._redirected = True
        elif here == "\n" and self._array:
            self._end_word()
            self._line += 1
        else:
            self._end_word()
            self._end_command()
            self._line += here == "\n"
        self._position += 1

    def _is_substitution(self) -> bool:
        return self._text.startswith(("`", "${", "$("), self._position)

    def _is_alive(self) -> bool:
        """Whether the shell substitutes a variable at this position. A `$` without a name is plain text."""
        return re.compile(rf"\$({NAME}|[@*#?$!-])").match(self._text, self._position) is not None

    def _add(self, text: str) -> None:
        if self._word is None:
            self._word, self._word_begin = "", self._position
        self._word += text

    def _close_variable(self) -> None:
        """Writes $A at the end of the current word as ${A}. Otherwise "$A"b would become the variable $Ab."""
        if self._word is not None:
            self._word = re.sub(rf"\$({NAME}+)\Z", r"${\1}", self._word)

    def _read_quoted(self, quote: str) -> None:
        self._close_variable()
        self._add("")
        self._position += 1
        while self._position < len(self._text) and self._text[self._position] != quote:
            if quote == '"' and self._is_substitution():
                self._read_substitution()
                continue
            here = self._text[self._position]
            self._line += here == "\n"
            if quote == "'":
                self._add(as_text(here))
            else:
                self._read_double_quoted(here)
            self._position += 1
        self._position = min(self._position + 1, len(self._text))
        if re.compile(rf"{NAME}|[\"'\\]").match(self._text, self._position):
            self._close_variable()

    def _read_double_quoted(self, here: str) -> None:
        following = self._text[self._position + 1 : self._position + 2]
        if here == "\\" and following and following in '$`"\\\n':
            self._position += 1
            self._line += following == "\n"
            self._add("" if following == "\n" else as_text(following))
        else:
            self._add(here if self._is_alive() else as_text(here))

    def _read_substitution(self) -> None:
        """Copies ${...}, $(...) and `...` without changes, and finds the calls in $(...) and `...`."""
        is_old = self._text[self._position] == "`"
        opening = "$(" if is_old else self._text[self._position : self._position + 2]
        begin = self._position + (1 if is_old else 2)
        end = end_of_substitution(self._text, self._position)
        inner_end = max(begin, end - 1)
        inner = self._text[begin:inner_end]
        self._add(opening + inner + ("}" if opening == "${" else ")"))
        if opening == "$(" and self._depth < _DEEPEST:
            _ShellReader(self._script, begin, inner_end, self._line, self._depth + 1).read()
        self._line += inner.count("\n")
        self._position = end

    def _end_word(self) -> None:
        if self._word is None:
            return
        if self._redirected:
            self._has_redirection = True
            self._redirected = False
        else:
            if not self._words:
                self._start = self._line
            self._has_inner_redirection |= self._has_redirection
            self._words.append(_Word(self._word, self._word_begin, self._position))
        self._word = None

    def _end_command(self) -> None:
        texts = [word.text for word in self._words]
        call = find_call(texts)
        if call.program < len(texts):
            is_statement = all(text in SHELL_KEYWORDS for text in texts[: call.begin])
            is_data = self._array or self._has_inner_redirection
            self._script.commands.append(
                ScriptCommand(
                    line=self._start,
                    words=[without_folders(texts[call.program]), *texts[call.program + 1 :]],
                    place=DATA if is_data else STATEMENT if is_statement else ARGUMENT,
                    begin=self._words[call.begin].begin,
                    arguments=self._words[call.program].end,
                    end=self._words[-1].end,
                )
            )
        else:
            self._learn(texts)
        self._words = []
        self._array = ""
        self._redirected = self._has_redirection = self._has_inner_redirection = False

    def _learn(self, texts: List[str]) -> None:
        if self._array:
            self._script.values.learn_array(self._array, texts)
        else:
            self._script.values.learn(texts)
        for word in self._words:
            if re.search(r"[ \t\n]", word.text):
                self._script.mentions += find_mentions(self._script.text, word.begin, word.end)


def read_shell(script: Script) -> None:
    """Adds the calls of a shell script to `script`."""
    _ShellReader(script, 0, len(script.text), 1).read()
