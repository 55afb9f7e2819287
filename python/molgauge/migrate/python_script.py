"""Finds the calls of programs in a Python script, for example in the arguments of subprocess.run(). The script gives a
call as a list of words or as one string."""

import ast
import io
import re
import tokenize
from typing import Iterator, List, Tuple

from ..errors import InputError
from .scripts import DATA, Script, ScriptCommand
from .words import as_text, find_call, find_mentions, is_program, without_folders


class _Places:
    """Converts lines and columns, as Python's parsers report them, to positions in a text."""

    def __init__(self, text: str) -> None:
        self._lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        self._begins = [0]
        for line in self._lines:
            self._begins.append(self._begins[-1] + len(line))

    def of_character(self, line: int, column: int) -> int:
        return self._begins[line - 1] + column

    def of_byte(self, line: int, column: int) -> int:
        """Converts a line and a column of the module ast, which counts columns in bytes of UTF-8."""
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return self._begins[line - 1] + len(text.encode()[:column].decode())

    def of_node(self, node: ast.expr) -> Tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.of_byte(node.lineno, node.col_offset), self.of_byte(node.end_lineno, node.end_col_offset)


def _contents_of_strings(text: str, places: _Places) -> Iterator[Tuple[int, int]]:
    """Yields the begin and the end of the content of each string, without prefix and quotes. A string inside an
    f-string counts as part of the f-string."""
    depth = content = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = tokenize.tok_name[token.type]
        begin, end = places.of_character(*token.start), places.of_character(*token.end)
        if kind == "FSTRING_START":
            content = content if depth else end
            depth += 1
        elif kind == "FSTRING_END":
            depth -= 1
            if depth == 0:
                yield content, begin
        elif kind == "STRING" and depth == 0:
            opened = re.match(r"\w*(\"\"\"|'''|\"|')", token.string)
            assert opened is not None
            yield begin + opened.end(), end - len(opened.group(1))


def _last_string(node: ast.expr) -> str:
    """Returns the last string in an expression, for example "main.py" for str(ROOT / "main.py")."""
    strings = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    last = max(strings, key=lambda part: (part.lineno, part.col_offset), default=None)
    return str(last.value) if last else ""


def _variable_of(expression: str) -> str:
    """Returns a shell variable that stands for an expression, for example ${args_lr} for str(args.lr)."""
    inner = re.fullmatch(r"str\((.*)\)", expression, re.DOTALL)
    text = re.sub(r"[\"'\s]", "", inner.group(1) if inner else expression)
    return "${" + re.sub("[^A-Za-z0-9_]", "_", text) + "}"


def _calls(script: Script, tree: ast.AST, places: _Places) -> Iterator[ScriptCommand]:
    """Finds the lists in which the name of a program follows an interpreter."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.List) or not node.elts:
            continue
        names: List[str] = []
        words: List[str] = []
        for item in node.elts:
            begin, end = places.of_node(item)
            source, last = script.text[begin:end], _last_string(item)
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                names.append(item.value)
                words.append(as_text(item.value))
            else:
                names.append(last if is_program(last) else source)
                words.append(_variable_of(source))
        call = find_call(names)
        if call.program == len(names) or (call.begin == call.program and not names[call.program].endswith(".sh")):
            continue
        yield ScriptCommand(
            line=node.lineno,
            words=[without_folders(names[call.program]), *words[call.program + 1 :]],
            place=DATA,
            begin=places.of_node(node.elts[call.begin])[0],
            arguments=places.of_node(node.elts[call.program])[1],
            end=places.of_node(node.elts[-1])[1],
        )


def read_python(script: Script) -> None:
    """Adds the calls of a Python script to `script`."""
    try:
        tree = ast.parse(script.text)
        places = _Places(script.text)
        strings = list(_contents_of_strings(script.text, places))
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError) as problem:
        line = f":{problem.lineno}" if isinstance(problem, SyntaxError) and problem.lineno else ""
        raise InputError(
            f"the Python script{line}: Python cannot read it: {getattr(problem, 'msg', problem)}. Only scripts of Python 3 "
            "are translated. Correct the line, or translate its calls one by one: molgauge migrate python main.py ..."
        ) from problem
    script.commands = sorted(_calls(script, tree, places), key=lambda call: call.begin)
    for begin, end in strings:
        script.mentions += find_mentions(script.text, begin, end)
