"""Tests the documentation: the site builds without a warning, links have targets, commands have existing
verbs and options, and the commands of tutorials and guides run.

    MOLGAUGE_PROGRAM=build/release/bin/molgauge python3 -m unittest discover -s tests/docs -v

With MOLGAUGE_DOCS_OUTPUT=1, the outputs that the pages show are compared, too, except for numbers. Set it
after you change messages. Blocks that do not run here are listed with their reasons
(scripts/docs/commands.py).
"""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "docs"))

import commands  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("MOLGAUGE_PROGRAM") or ROOT / "build" / "release" / "bin" / "molgauge").resolve()
PAGES = sorted((ROOT / "docs").rglob("*.md")) + [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "specs" / "README.md"]
GUIDES = sorted((ROOT / "docs" / "tutorials").glob("*.md")) + sorted((ROOT / "docs" / "how-to").glob("*.md"))
NCI = pathlib.Path("/usr/share/RDKit/Data/NCI/first_5k.tpsa.csv")


#: If true, a text block after a command must contain only lines that the command prints. Numbers may differ.
COMPARES_OUTPUT = os.environ.get("MOLGAUGE_DOCS_OUTPUT") == "1"


def shape(text):
    """Returns the lines of a text, without numbers, units and the width of columns."""
    found = []
    for line in text.split("\n"):
        line = re.sub(r"\d[\d.,]*(?:e-?\d+)?(?: ?(?:[KMG]iB|B)\b)?", "#", line)
        line = " ".join(re.sub(r"-{2,}", "-", line).split()).replace("-#", "#")
        if line and "..." not in line:
            found.append(line)
    return found


def anchors(page):
    """The anchors of the headings of a page, as Python-Markdown makes them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = set()
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
        found.add(re.sub(r"[-\s]+", "-", plain))
    return found


class Links(unittest.TestCase):
    """Internal links name existing files and headings."""

    def test_every_link_leads_to_a_file_and_a_heading(self):
        broken = []
        for page in PAGES:
            text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name).resolve() if name else page
                if not file.exists():
                    broken.append(f"{page.relative_to(ROOT)}: {target}")
                elif anchor and anchor not in anchors(file):
                    broken.append(f"{page.relative_to(ROOT)}: {target} has no such heading")
        self.assertEqual(broken, [])

    def test_paths_in_code_spans_exist(self):
        missing = []
        for page in GUIDES + [ROOT / "README.md"]:
            for path in re.findall(r"`((?:examples|scripts|specs|bench|docs)/[\w./-]+)`", page.read_text(encoding="utf-8")):
                if not (ROOT / path).exists():
                    missing.append(f"{page.relative_to(ROOT)}: {path}")
        self.assertEqual(missing, [])


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
class Commands(unittest.TestCase):
    """Every call of molgauge in the documentation has an existing verb, options and values."""

    @classmethod
    def setUpClass(cls):
        printed = subprocess.run([PROGRAM, "--options-json"], check=True, capture_output=True, text=True).stdout
        cls.options = json.loads(printed)

    def test_blocks_of_all_pages(self):
        found, count = [], 0
        for page in PAGES:
            for block in commands.blocks(page):
                if block.language not in ("", "sh"):
                    continue
                for command in commands.commands(block.text):
                    count += 1
                    found += [f"{block.place}: {command}: {problem}" for problem in commands.problems(command, self.options)]
        self.assertEqual("\n".join(found), "")
        self.assertGreater(count, 100)

    def test_code_spans_of_all_pages(self):
        found = []
        for page in PAGES:
            for command in commands.inline_commands(page):
                found += [f"{page}: {command}: {problem}" for problem in commands.problems(command, self.options)]
        self.assertEqual("\n".join(found), "")

    def test_the_check_finds_errors(self):
        for command in ("molgauge domian a b", "molgauge domain a b --labels x", "molgauge train b --loss dop",
                        "molgauge train b --epochs many", "molgauge encode a b"):
            self.assertNotEqual(commands.problems(command, self.options), [], command)


class Site(unittest.TestCase):
    """The site builds with --strict."""

    @unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
    def test_builds_without_a_warning(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([ROOT / "scripts" / "build-docs", "--site-dir", folder], capture_output=True, text=True,
                                 env={**os.environ, "MOLGAUGE_PROGRAM": str(PROGRAM)})
            if run.returncode == 77:
                self.skipTest(run.stderr.strip())
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            pages = {str(page.relative_to(folder)) for page in pathlib.Path(folder).rglob("*.html")}
            self.assertIn("reference/verbs/encode.html", pages)
            self.assertIn("reference/headers/engine.html", pages)
            self.assertIn("decisions/0001-engine-on-demand.html", pages)
            text = (pathlib.Path(folder) / "reference" / "python-api.html").read_text(encoding="utf-8")
            self.assertIn('id="molgauge.domain.Domain"', text)


class Page:
    """Runs the blocks of one page in a temporary folder with the files that a reader of the guides has."""

    def __init__(self, page, folder, home):
        self.page, self.folder, self.has_weights = page, folder, (home / "weights").exists()
        self.environment = {**os.environ, "MOLGAUGE_HOME": str(home), "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
                            "MOLGAUGE_PROGRAM": str(PROGRAM), "PYTHONPATH": str(ROOT / "python"),
                            "MOLGAUGE_LIBRARY": str(PROGRAM.parents[1] / "lib" / "libmolgauge.so")}
        self.servers = []
        for name in ("tests", "examples", "specs", "scripts"):
            (folder / name).symlink_to(ROOT / name)
        # The commands on the pages use the build folder of the release preset.
        (folder / "build").mkdir()
        (folder / "build" / "release").symlink_to(PROGRAM.parents[1])
        subprocess.run(["bash", str(pathlib.Path(__file__).with_name("files.sh")), str(NCI)], cwd=folder, check=True)

    def shell(self, text, code, place):
        """Runs a script and returns its output."""
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=self.folder, env=self.environment,
                             capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
        if run.returncode != code and not self.has_weights and "the weights of minimol are not installed" in run.stderr:
            raise unittest.SkipTest("MOLGAUGE_TEST_WEIGHTS names no weights of minimol")
        if run.returncode != code:
            raise AssertionError(f"{place}: ended with {run.returncode}, not {code}\n{text}\n{run.stdout}{run.stderr}"[-4000:])
        return run.stdout + run.stderr

    def serve(self, text):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", 8080)) == 0:
                raise unittest.SkipTest("port 8080 is in use")
        self.servers.append(subprocess.Popen(["bash", "-c", "exec " + text], cwd=self.folder, env=self.environment,
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(200):
            try:
                urllib.request.urlopen("http://127.0.0.1:8080/api/v1/health", timeout=5)
                return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise AssertionError(f"{self.page}: the server does not answer")

    def close(self):
        for server in self.servers:
            server.terminate()
            server.wait(60)

    def run(self):
        """The blocks that did not run: (position, reason)."""
        left_out, script, printed = [], [], None
        for block in commands.blocks(self.page):
            if block.language == "text" and printed is not None and COMPARES_OUTPUT:
                shown, found = shape(block.text), shape(printed)
                missing = [line for line in shown if line not in found]
                if missing:
                    raise AssertionError(f"{block.place}: the command does not print these lines: {missing}")
            if block.language not in ("sh", "python"):
                continue
            printed = None
            if "setup" in block.marks:
                self.shell(block.marks["setup"], 0, block.place)
            if "not run" in block.marks:
                left_out.append((block.place, block.marks["not run"]))
            elif block.language == "python":
                script.append(block.text)
            elif "background" in block.marks:
                self.serve(block.text)
            else:
                printed = self.shell(block.text, int(block.marks.get("exit code", 0)), block.place)
                if "run also" in block.marks:
                    self.shell(block.marks["run also"], 0, block.place)
        if script:
            file = self.folder / "page.py"
            file.write_text("\n".join(script), encoding="utf-8")
            self.shell(f"{sys.executable} page.py", 0, str(self.page))
        return left_out


@unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")
@unittest.skipUnless(NCI.exists(), f"{NCI}: the package rdkit-data is not installed")
class Runs(unittest.TestCase):
    """The commands of tutorials and guides run."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.home = pathlib.Path(cls.temporary.name) / "home"
        cls.home.mkdir()
        weights = os.environ.get("MOLGAUGE_TEST_WEIGHTS")
        if weights and (pathlib.Path(weights) / "minimol").is_dir():
            (cls.home / "weights").symlink_to(weights)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def check(self, page):
        if "made_up_pockets" in page.read_text() and not (PROGRAM.parent / "made_up_pockets").exists():
            self.skipTest("the benchmarks are not built")
        with tempfile.TemporaryDirectory() as folder:
            runner = Page(page, pathlib.Path(folder), self.home)
            try:
                left_out = runner.run()
            finally:
                runner.close()
        for place, reason in left_out:
            print(f"not run: {pathlib.Path(place).relative_to(ROOT)}: {reason}")


def _add(page):
    name = f"test_{page.parent.name}_{page.stem}".replace("-", "_")
    setattr(Runs, name, lambda self: self.check(page))


for _page in GUIDES:
    _add(_page)

if __name__ == "__main__":
    unittest.main()
