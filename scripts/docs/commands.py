"""Reads the commands of the documentation, and checks them against the options of the program.

A block of Markdown can be preceded by comments that say how a test runs it:

    <!-- setup: COMMANDS -->        run these first, to make files that the reader already has
    <!-- run also: COMMANDS -->     run these after the block
    <!-- not run: REASON -->        do not run the block
    <!-- exit code: N -->           expect that the block ends with exit code N
    <!-- background -->             run the block in the background until the end of the page
"""

import dataclasses
import pathlib
import re
import shlex
from typing import Dict, Iterator, List, Optional

#: Options that every verb has although no table lists them.
UNLISTED = {"help", "help-all", "format", "json", "log-level", "quiet", "try"}
#: Verbs that parse their arguments without an option table.
UNCHECKED = {"migrate"}


@dataclasses.dataclass
class Block:
    """A block of code. ``marks`` holds the comments before it."""

    page: pathlib.Path
    line: int
    language: str
    text: str
    marks: Dict[str, str]

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(page: pathlib.Path) -> Iterator[Block]:
    """Yields the fenced and the indented blocks of a page."""
    marks: Dict[str, str] = {}
    lines = page.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        fence = re.match(r"^(\s*)```(\w*)\s*$", line)
        mark = re.match(r"^\s*<!-- ([a-z ]+?)(?:: (.*?))? -->$", line)
        if mark:
            marks[mark[1]] = mark[2] or ""
            at += 1
            continue
        if fence:
            begin = at + 1
            at = begin
            while lines[at].strip() != "```":
                at += 1
            text = "\n".join(row[len(fence[1]):] for row in lines[begin:at])
            yield Block(page, begin + 1, fence[2], text, marks)
            marks = {}
        elif line.startswith("    ") and (at == 0 or not lines[at - 1].strip()) and not re.match(r"\s+(?:[-*]|\d+\.) ", line):
            begin = at
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            yield Block(page, begin + 1, "", "\n".join(row[4:] for row in lines[begin:at]).strip(), marks)
            marks = {}
            continue
        elif line.strip():
            marks = {}
        at += 1


def inline_commands(page: pathlib.Path) -> Iterator[str]:
    """Yields the commands in code spans of prose and tables."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for span in re.findall(r"`(molgauge [^`]+)`", text):
        yield " ".join(span.replace("\\|", "|").split())


def commands(text: str) -> Iterator[str]:
    """Yields the calls of molgauge in a shell script, each joined to one line."""
    text = re.sub(r"\\\n\s*", " ", text)
    for line in text.split("\n"):
        line = re.sub(r"(?:^|\s)#.*$", "", line)
        for part in re.split(r"&&|\|\||;|\bdo\b|\$\(|\||>", line):
            found = re.match(r"^\s*(?:\$ )?(?:[A-Z_]+=\S*\s+)*(?:exec\s+)?(?:\S*/)?(molgauge (?![-a-z]*:).*)$", part)
            if found:
                yield found[1].rstrip(" &)'").strip()


def verb_of(words: List[str], options: Dict[str, list]) -> Optional[str]:
    """Returns the verb at the beginning of the words, for example "memory plan train", or None if the words begin with
    no known verb."""
    for count in (3, 2, 1):
        if " ".join(words[:count]) in options:
            return " ".join(words[:count])
    return None


def is_placeholder(value: str) -> bool:
    return value.isupper() or "..." in value or "[" in value or "|" in value or "$" in value


def fits(option: dict, value: str) -> bool:
    """Returns whether the option accepts the value. `option`: the row of the option in the option table."""
    if is_placeholder(value):
        return True
    if option["choices"]:
        return value in option["choices"]
    if option["type"] == "integer" and option["unit"] != "bytes":
        return re.fullmatch(r"-?\d+", value) is not None
    if option["type"] == "number" and option["unit"] != "bytes":
        return re.fullmatch(r"-?[\d.]+(?:e-?\d+)?", value) is not None
    return True


def problems(command: str, options: Dict[str, list]) -> List[str]:
    """Returns the reasons why the program would refuse a call."""
    try:
        words = shlex.split(command)[1:]
    except ValueError as error:
        return [str(error)]
    words = [word.strip("[]") if word.startswith("[--") or word.endswith("]") else word for word in words]
    if not words or words[0] in UNCHECKED or words[0].startswith("--"):
        return []
    verb = verb_of(words, options)
    if verb is None:
        named = [word for word in words if not word.startswith("--")]
        is_group = any(name.split()[: len(named)] == named for name in options)
        return [] if is_group or words[0].isupper() else [f"there is no verb {' '.join(words[:2])}"]
    rows = {row["name"]: row for row in options[verb]}
    found, positionals, rest = [], [], words[len(verb.split()):]
    while rest:
        word = rest.pop(0)
        if not word.startswith("--") or word == "--":
            positionals.append(word)
            continue
        name, _, value = word[2:].partition("=")
        if name not in rows:
            if name not in UNLISTED:
                found.append(f"{verb} has no --{name}")
            elif name in {"format", "log-level"} and rest:
                rest.pop(0)
            continue
        row = rows[name]
        if row["type"] == "flag":
            continue
        if not value and rest and not rest[0].startswith("--"):
            value = rest.pop(0)
            while row["type"] == "list" and rest and re.fullmatch(r"[\d.]+", rest[0]):
                rest.pop(0)
        if value and not fits(row, value):
            found.append(f"{verb} --{name} does not take {value}")
    arguments = [row for row in options[verb] if row["is_positional"]]
    if len(positionals) > len(arguments) and not any(row["type"] == "list" for row in arguments):
        found.append(f"{verb} takes {len(arguments)} arguments, not {' '.join(positionals)}")
    return found
