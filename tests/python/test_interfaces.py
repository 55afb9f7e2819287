"""Tests that the command line, the Python package and the server give the same results."""

import csv
import json
import os
import random
import shutil
import subprocess
import unittest
import urllib.request
from pathlib import Path

import numpy as np

import molgauge
from support import ETHERS, PROGRAM, WithStore

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
#: Table salt, methane, cisplatin and ferrocene, none of which resembles an ether.
ABSURD = ["[Na+].[Cl-]", "C", "N.N.[Cl-].[Cl-].[Pt+2]", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1"]

#: Other drawings of molecules. tests/metamorphic compares many more drawings on the command line.
DRAWINGS = {
    "CCCCOCCC": ["C(OCCC)CCC", "[H]C([H])([H])CCCOCCC", "[13CH3]CCCOCCC", "[2H]C([2H])([2H])CCCOCCC", "[CH3:1]CCCOCCC"],
    "NCCCCOCC": ["NCCCCOCC.Cl", "[Cl-].[NH3+]CCCCOCC", "C(CCCOCC)[NH3+]", "O.[NH3+]CCCCOCC.[O-]C(=O)C(F)(F)F"],
    "OC(=O)CCOCC": ["[Na+].[O-]C(=O)CCOCC", "C(COCC)C([O-])=O", "OC(=O)CCOCC.O"],
    "O=[N+]([O-])CCOCC": ["O=N(=O)CCOCC", "C(OCC)C[N+]([O-])=O"],
}


@unittest.skipUnless(PROGRAM, "MOLGAUGE_PROGRAM names no program")
class Interfaces(WithStore):
    def setUp(self):
        super().setUp()
        self.saved = str(self.folder / "saved")
        molgauge.Domain("ecfp", store=self.store, folder=self.saved).fit(ETHERS)

    def from_command_line(self, molecules):
        candidates, out = self.folder / "candidates.csv", self.folder / "domain.csv"
        candidates.write_text("smiles\n" + "".join(one + "\n" for one in molecules))
        words = [PROGRAM, "domain", self.saved, candidates, "--out", out, "--store", self.store, "--quiet"]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
        with open(out, newline="") as file:
            return {row["smiles"]: (row["domain"], float(row["domain_p_value"]) if row["domain_p_value"] else None) for row in csv.DictReader(file)}

    def from_python(self, molecules):
        verdicts = molgauge.Domain.load(self.saved, store=self.store).judge(molecules)
        return dict(zip(molecules, zip(verdicts["domain"], verdicts.numbers("domain_p_value"))))

    def from_server(self, molecules):
        answer = self.answer_of_server("domain", molecules)
        return {row["smiles"]: (row["verdict"], row["p_value"]) for row in answer["rows"]}

    def answer_of_server(self, path, molecules):
        words = [PROGRAM, "serve", "--model", self.saved, "--port", "0", "--store", self.store, "--work",
                 str(self.folder / "work")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                url = server.stdout.readline().strip() + "api/v1/" + path
                request = urllib.request.Request(url, "\n".join(molecules).encode(), {"Content-Type": "text/plain"})
                with urllib.request.urlopen(request, timeout=60) as response:
                    return json.load(response)
            finally:
                server.terminate()

    def built(self, source):
        """Builds the program of an example in C or C++ and returns its path."""
        root = EXAMPLES.parent
        library = os.environ.get("MOLGAUGE_LIBRARY", "")
        compiler = shutil.which("cc" if source.suffix == ".c" else "c++")
        if compiler is None or not Path(library).exists() or not source.exists():
            self.skipTest("needs a compiler, MOLGAUGE_LIBRARY and the examples")
        program = self.folder / (source.parent.name + source.suffix.replace(".", "_"))
        standard = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"] if source.suffix == ".c" else ["-std=c++20"]
        core = sorted(Path(library).parent.glob("libmolgauge_core.so*"))
        words = [compiler, *standard, source, "-I", root / "include", library, *core,
                 f"-Wl,-rpath,{Path(library).parent}", "-o", program]
        subprocess.run([str(word) for word in words], check=True)
        return program

    def from_program(self, source, molecules):
        """Runs examples/judge in C or C++. Returns the verdict and the p-value from each line of its
        output."""
        words = [self.built(source), self.saved, self.store, *molecules]
        ended = subprocess.run(words, check=True, capture_output=True, text=True)
        return [(words[0], float(words[1]) if words[1:] else None)
                for words in (line.split() for line in ended.stdout.splitlines())]

    def test_five_interfaces_give_one_answer_to_the_bit(self):
        molecules = ABSURD + ETHERS[:20:3] + ["CN" + "C" * i + "O" for i in range(6)] + ["nonsense"]
        verdicts = molgauge.Domain.load(self.saved, store=self.store).judge(molecules)
        p_values = [None if one != one else one for one in verdicts["domain_p_value"]]
        expected = list(zip(verdicts["domain"], p_values))
        self.assertEqual(self.from_program(EXAMPLES / "judge" / "main.c", molecules), expected)
        self.assertEqual(self.from_program(EXAMPLES / "judge" / "main.cpp", molecules), expected)
        server = self.from_server(molecules)
        self.assertEqual([server[one] for one in molecules], expected)
        # domain.csv has six digits of each number.
        printed = self.from_command_line(molecules)
        self.assertEqual(
            [printed[one] for one in molecules],
            [(verdict, None if p is None else float(f"{p:.6g}")) for verdict, p in expected],
        )

    def test_five_interfaces_give_one_row_of_features_to_the_bit(self):
        molecules = ABSURD + ETHERS[:20:3] + ["c1ccncc1CC(=O)N", "nonsense"]
        rows = molgauge.Encoder("ecfp", store=self.store)(molecules)
        self.assertTrue(np.isnan(rows[-1]).all() and np.isfinite(rows[:-1]).all())

        listed, out = self.folder / "molecules.smi", self.folder / "features.npy"
        listed.write_text("".join(one + "\n" for one in molecules))
        words = [PROGRAM, "encode", listed, "--encoder", "ecfp", "--out", out, "--store", self.folder / "other", "--quiet"]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        np.testing.assert_array_equal(np.load(out), rows)

        by_cpp = self.folder / "cpp.npy"
        words = [self.built(EXAMPLES / "encode" / "main.cpp"), listed, by_cpp, self.folder / "third"]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        np.testing.assert_array_equal(np.load(by_cpp), rows)

        words = [self.built(EXAMPLES / "encode" / "main.c"), self.folder / "fourth", *molecules]
        ended = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
        lines = ended.stdout.splitlines()
        self.assertEqual(lines[-1], "failed")
        np.testing.assert_array_equal(np.asarray([line.split() for line in lines[:-1]], dtype="f4"), rows[:-1])

        server = self.answer_of_server("encode?encoder=ecfp", molecules)["rows"]
        self.assertIsNone(server[-1]["features"])
        np.testing.assert_array_equal(np.asarray([row["features"] for row in server[:-1]], dtype="f4"), rows[:-1])

    def test_drawings_of_a_molecule_have_one_answer_in_each_interface(self):
        molecules = [one for drawn, others in DRAWINGS.items() for one in (drawn, *others)]
        for ask in (self.from_command_line, self.from_python, self.from_server):
            answers = ask(molecules)
            for drawn, others in DRAWINGS.items():
                for other in others:
                    self.assertEqual(answers[other], answers[drawn], f"{ask.__name__}: {other}")

    def test_a_verdict_is_the_same_in_any_list(self):
        expected = self.from_command_line(ABSURD)
        self.assertEqual({verdict for verdict, _ in expected.values()}, {"outside"})
        for others, ask in ((5, self.from_server), (50, self.from_python), (250, self.from_command_line)):
            molecules = ABSURD + ["CN" + "C" * (i % 40) + "O" * (i // 40) for i in range(others)]
            random.Random(others).shuffle(molecules)
            answers = ask(molecules)
            for one in ABSURD:
                self.assertEqual(answers[one][0], "outside")
                self.assertAlmostEqual(answers[one][1] / expected[one][1], 1, places=5)


if __name__ == "__main__":
    unittest.main()
