"""A call of the Python project with parsed options."""

from typing import Dict, List

from .old_options import PROGRAMS, find_old_option


class OldCommand:
    """Reads the arguments of a call as argparse does. The last value of an option counts, "--name=value" is accepted,
    and a name may be shortened if only one option begins with it.

    argparse would end at the first mistake. Here, a call with mistakes is also translated, and each mistake
    becomes a remark.
    """

    def __init__(self, words: List[str]) -> None:
        self.name = words[0]  #: "main.py", "run_ablation.sh"
        #: The letter of the program in PROGRAMS.
        self.program = next((letter for letter, name in PROGRAMS.items() if name == self.name), "x")
        self.given: Dict[str, List[str]] = {}  #: values by option. A flag has an empty list
        self.unknown: List[str] = []  #: words that are not an option of the program
        self.without_value: List[str] = []  #: options that need a value and have none
        arguments: List[str] = []
        for word in words[1:]:
            name, sign, value = word.partition("=") if word.startswith("--") else (word, "", "")
            arguments += [name, value] if sign else [name]
        while arguments:
            self._take(arguments)

    def _take(self, arguments: List[str]) -> None:
        """Removes an option and its values from the arguments, or removes one unknown word."""
        word = arguments.pop(0)
        option = find_old_option(self.program, word)
        if option is None:
            self.unknown.append(word)
            return
        values: List[str] = []
        most = {"flag": 0, "list": len(arguments)}.get(option.kind, 1)
        while len(values) < most and arguments and not arguments[0].startswith("--"):
            values.append(arguments.pop(0))
        self.given[option.name] = values
        if option.kind != "flag" and not values:
            self.without_value.append(option.name)
            del self.given[option.name]

    def has(self, option: str) -> bool:
        return option in self.given

    def value(self, option: str, otherwise: str = "") -> str:
        """Returns the first value of the option, or `otherwise`."""
        return (self.given.get(option) or [otherwise])[0]
