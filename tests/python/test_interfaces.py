"""The command line, the Python package and the server give the same results."""

import csv
import json
import random
import subprocess
import unittest
import urllib.request

import headroom
from support import ETHERS, PROGRAM, WithStore

#: Table salt, methane, cisplatin and ferrocene: unlike every ether.
ABSURD = ["[Na+].[Cl-]", "C", "N.N.[Cl-].[Cl-].[Pt+2]", "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1"]


@unittest.skipUnless(PROGRAM, "HEADROOM_PROGRAM names no program")
class Interfaces(WithStore):
    def setUp(self):
        super().setUp()
        self.saved = str(self.folder / "saved")
        headroom.Domain("ecfp", store=self.store, folder=self.saved).fit(ETHERS)

    def from_command_line(self, molecules):
        candidates, out = self.folder / "candidates.csv", self.folder / "domain.csv"
        candidates.write_text("smiles\n" + "".join(one + "\n" for one in molecules))
        words = [PROGRAM, "domain", self.saved, candidates, "--out", out, "--store", self.store, "--quiet"]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
        with open(out, newline="") as file:
            return {row["smiles"]: (row["domain"], float(row["domain_p_value"])) for row in csv.DictReader(file)}

    def from_python(self, molecules):
        verdicts = headroom.Domain.load(self.saved, store=self.store).judge(molecules)
        return dict(zip(molecules, zip(verdicts["domain"], verdicts.numbers("domain_p_value"))))

    def from_server(self, molecules):
        words = [PROGRAM, "serve", "--model", self.saved, "--port", "0", "--store", self.store, "--work",
                 str(self.folder / "work")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            try:
                url = server.stdout.readline().strip() + "api/v1/domain"
                request = urllib.request.Request(url, "\n".join(molecules).encode(), {"Content-Type": "text/plain"})
                with urllib.request.urlopen(request, timeout=60) as response:
                    return {row["smiles"]: (row["verdict"], row["p_value"]) for row in json.load(response)["rows"]}
            finally:
                server.terminate()

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
