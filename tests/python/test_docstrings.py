"""Tests that docstrings have the sections of NumPy's format, and that their examples run."""

import doctest
import importlib
import importlib.util
import inspect
import logging
import os
import re
import unittest
from unittest import mock

import memgauge
import molgauge
from support import ETHERS, PROGRAM, WithStore

MODULES = [
    "memgauge.explanations",
    "memgauge.prediction",
    "memgauge.prediction.answer",
    "memgauge.recorder",
    "molgauge._arrow",
    "molgauge._session",
    "molgauge.detector",
    "molgauge.domain",
    "molgauge.encoding",
    "molgauge.errors",
    "molgauge.estimators",
    "molgauge.migrate.calls",
    "molgauge.pocket",
    "molgauge.predictions",
    "molgauge.pyod",
    "molgauge.ray",
    "molgauge.training",
    "molgauge.unimol",
    "molgauge.weights",
]
#: The public names of modules that also contain internal names.
PUBLIC = {
    "molgauge._arrow": ["Table"],
    "molgauge._session": ["show_progress"],
    "molgauge.predictions": ["Predictions", "predict"],
    "molgauge.errors": ["Error", "InputError", "Interrupted", "OverBudgetError", "UsageError"],
    "memgauge.prediction.answer": ["Prediction"],
    "memgauge.recorder": ["Recorder", "lightning_callback", "trainer_callback"],
}
#: Packages that the examples of a module need.
NEEDS = {"molgauge.estimators": "sklearn", "memgauge.prediction": "torch", "memgauge.prediction.answer": "torch"}
#: Modules whose examples run the program.
OF_PROGRAM = ("molgauge.migrate.calls", "molgauge.pocket", "molgauge.training")


def loaded(name):
    needed = NEEDS.get(name)
    if needed and importlib.util.find_spec(needed) is None:
        raise unittest.SkipTest(f"the Python package {needed} is not installed (tests/python/requirements.txt)")
    return importlib.import_module(name)


def public(module):
    names = PUBLIC.get(module.__name__, [name for name in vars(module) if not name.startswith("_")])
    for name in names:
        value = getattr(module, name)
        if getattr(value, "__module__", None) == module.__name__ and (inspect.isclass(value) or inspect.isfunction(value)):
            yield name, value


def section(docstring, title):
    """The lines of a section, or None."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", docstring, re.MULTILINE | re.DOTALL)
    return found and found.group(1)


def undescribed(function, docstring):
    """The arguments without a description, and "Returns" if the result has none."""
    signature = inspect.signature(function)
    given = section(docstring, "Parameters") or ""
    known = {one.strip() for line in re.findall(r"^(\w[\w, ]*):$", given, re.MULTILINE) for one in line.split(",")}
    missing = [name for name in signature.parameters if name not in ("self", "cls") and name not in known]
    returns = signature.return_annotation
    if returns not in (None, "None", signature.empty) and not any(section(docstring, one) for one in ("Returns", "Yields")):
        missing.append("Returns")
    return missing


def problems_of(name, value):
    docstring = inspect.getdoc(value) or ""
    own = value.__doc__ or ""
    if not own.strip():
        return [f"{name}: no docstring"]
    found = []
    if ">>>" not in (section(docstring, "Examples") or ""):
        found.append(f"{name}: no example")
    if inspect.isfunction(value):
        return found + [f"{name}: {one}" for one in undescribed(value, docstring)]
    own_init = vars(value).get("__init__")
    is_plain = hasattr(value, "__dataclass_fields__") or issubclass(value, tuple)
    is_made_by_users = own_init is not None and not is_plain and not name.endswith(("Table", "Verdicts", "Scores", "Watch", "Explanation", "Prediction", "Predictions"))
    if is_made_by_users:
        found += [f"{name}: {one}" for one in undescribed(own_init, docstring) if one != "Returns"]
    for key, member in vars(value).items():
        if key.startswith("_") and key != "__call__":
            continue
        member = getattr(member, "__func__", member)
        if isinstance(member, property):
            found += [] if member.__doc__ else [f"{name}.{key}: no docstring"]
        elif inspect.isfunction(member):
            text = inspect.getdoc(member) or ""
            found += [f"{name}.{key}: {one}" for one in undescribed(member, text)] if text else [f"{name}.{key}: no docstring"]
    return found


class Docstrings(WithStore):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.enterContext(mock.patch.dict(os.environ, {"MOLGAUGE_HOME": str(self.folder / "home")}))

    def test_describe_arguments_results_and_have_an_example(self):
        for name in MODULES:
            with self.subTest(name):
                module = loaded(name)
                self.assertEqual([one for own in public(module) for one in problems_of(*own)], [])

    def test_cover_every_public_name(self):
        covered = {own for name in MODULES if not NEEDS.get(name) for own, _ in public(loaded(name))}
        names = {name for name in molgauge.__all__ if molgauge._HOMES.get(name) != "estimators"
                 and not inspect.ismodule(getattr(molgauge, name, None))}
        self.assertEqual(names - covered, set())

    def test_examples_run(self):
        import numpy

        given = {"memgauge": memgauge, "molgauge": molgauge, "np": numpy, "ethers": ETHERS}
        count = 0
        logger = logging.getLogger("molgauge")
        self.addCleanup(logger.setLevel, logger.level)
        logger.setLevel(logging.ERROR)
        for name in MODULES:
            with self.subTest(name):
                if name in OF_PROGRAM and not PROGRAM:
                    self.skipTest("MOLGAUGE_PROGRAM names no program")
                module = loaded(name)
                tests = doctest.DocTestFinder().find(module, name, extraglobs=given)
                output = []
                for one in tests:
                    result = doctest.DocTestRunner(verbose=False).run(one, out=output.append)
                    count += result.attempted
                self.assertEqual("".join(output), "")
        self.assertGreater(count, 30)

    def test_check_finds_a_missing_description(self):
        def undocumented(molecules, page=None) -> int:
            """Does something.

            Parameters
            ----------
            molecules:
                SMILES.
            """

        self.assertEqual(
            problems_of("undocumented", undocumented),
            ["undocumented: no example", "undocumented: page", "undocumented: Returns"],
        )


if __name__ == "__main__":
    unittest.main()
