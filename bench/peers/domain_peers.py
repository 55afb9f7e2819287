"""headroom domain beside PyOD's and scikit-fingerprints' detectors, and its search beside faiss, on this machine.

    python bench/peers/domain_peers.py --headroom build/release/bin/headroom --molecules FOLDER [--weights W]
        [--store S] [--seeds 3] [--skip-large] [--only NAMES]

Needs numpy, rdkit, pyod, scikit-fingerprints, faiss-cpu. Three tables: AUROC and false alarms on the twenty pairs of
bench/domain_table.py, every rival with its defaults, its threshold set to 5 % of its own training scores where it has
one; the time for 100,000 candidates with features at hand on both sides; exact nearest neighbours of 2,000 rows among
100,000 x 512. PyOD reads MiniMol's features; scikit-fingerprints' checkers read ECFP counts (TOPKAT, PCA, bounding box
and leverage their dense form), as their documentation does.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import domain_table  # noqa: E402


def all_rivals():
    from pyod.models.ecod import ECOD
    from pyod.models.knn import KNN
    from skfp.applicability_domain import (BoundingBoxADChecker, KNNADChecker, LeverageADChecker,
                                           PCABoundingBoxADChecker, TOPKATADChecker)

    def pyod(model):
        def judge(train, queries):
            model.fit(train)
            return model.decision_function(queries), model.predict(queries) == 1
        return judge

    def skfp(make):
        def judge(train, queries):
            checker = make()
            checker.fit(train)
            return -np.asarray(checker.score_samples(queries), dtype=float), ~np.asarray(checker.predict(queries))
        return judge

    return [("PyOD KNN", "features", pyod(KNN(contamination=0.05))),
            ("PyOD ECOD", "features", pyod(ECOD(contamination=0.05))),
            ("skfp KNN", "bits", skfp(KNNADChecker)),
            ("skfp leverage", "counts", skfp(LeverageADChecker)),
            ("skfp bounding box", "counts", skfp(BoundingBoxADChecker)),
            ("skfp PCA bounding box", "counts", skfp(PCABoundingBoxADChecker)),
            ("skfp TOPKAT", "counts", skfp(TOPKATADChecker))]


def rivals(arguments):
    names = arguments.only.split(",") if arguments.only else None
    return [rival for rival in all_rivals() if names is None or rival[0] in names]


def features_of(arguments, work, name, smiles):
    domain_table.write(work / f"{name}.csv", [(text, name) for text in smiles])
    command = [arguments.headroom, "encode", work / f"{name}.csv", "--out", work / f"{name}.npy", "--store",
               arguments.store or work / "store", "--quiet"]
    if arguments.weights:
        command += ["--weights", arguments.weights]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return np.load(work / f"{name}.npy")


def fingerprints(smiles, count):
    from rdkit import Chem, DataStructs, RDLogger
    from rdkit.Chem import rdFingerprintGenerator
    RDLogger.DisableLog("rdApp.*")
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    rows = np.zeros((len(smiles), 2048), dtype=np.float32 if count else np.uint8)
    for i, text in enumerate(smiles):
        molecule = Chem.MolFromSmiles(text)
        make = generator.GetCountFingerprint if count else generator.GetFingerprint
        DataStructs.ConvertToNumpyArray(make(molecule), rows[i])
    return rows


def pairs(arguments, work, sets):
    import random
    kinds = {name: {"features": features_of(arguments, work, name, smiles), "counts": fingerprints(smiles, True),
                    "bits": fingerprints(smiles, False)} for name, smiles in sets.items()}
    print("| detector | mean AUROC | least | false alarms at 5 % | seconds for the pairs |\n|---|---|---|---|---|")
    for title, kind, judge in rivals(arguments):
        values, alarms, seconds = [], [], 0.0
        try:
            for name in domain_table.SETS:
                for seed in range(arguments.seeds):
                    order = list(range(len(sets[name])))
                    random.Random(seed).shuffle(order)
                    cut = len(order) * 4 // 5
                    train, held = order[:cut], order[cut:]
                    blocks, sizes = [kinds[name][kind][held]], []
                    for other in domain_table.SETS:
                        if other != name:
                            places = random.Random(1000 + seed).sample(range(len(sets[other])), domain_table.FOREIGN)
                            blocks.append(kinds[other][kind][places])
                    started = time.time()
                    scores, flagged = judge(kinds[name][kind][train], np.concatenate(blocks))
                    seconds += time.time() - started
                    alarms.append(flagged[:len(held)].mean())
                    scores = np.nan_to_num(scores, posinf=1e30, neginf=-1e30)
                    for i in range(4):
                        first = len(held) + i * domain_table.FOREIGN
                        values.append(domain_table.auroc(list(scores[:len(held)]),
                                                         list(scores[first:first + domain_table.FOREIGN])))
            per_pair = np.array(values).reshape(len(domain_table.SETS), arguments.seeds, 4).mean(axis=1)
            print(f"| {title} | {per_pair.mean():.3f} | {per_pair.min():.3f} | {100 * np.mean(alarms):.1f} % | "
                  f"{seconds:.1f} |", flush=True)
        except Exception as problem:  # a rival that fails is a line of the table
            print(f"| {title} | failed: {str(problem)[:90]} | | | |", flush=True)


def large(arguments, work, sets):
    """100,000 candidates: the molecules of all five sets again and again, against 80 % of lipo."""
    smiles = [text for name in domain_table.SETS for text in sets[name]]
    many = (smiles * (100000 // len(smiles) + 1))[:100000]
    train = sets["lipo"][:len(sets["lipo"]) * 4 // 5]
    table = {text: i for i, text in enumerate(dict.fromkeys(smiles))}
    unique = list(table)
    kinds = {"features": features_of(arguments, work, "all", unique), "counts": fingerprints(unique, True),
             "bits": fingerprints(unique, False)}
    places, train_places = [table[text] for text in many], [table[text] for text in train]
    print("\n| detector | seconds, 100,000 candidates with features at hand |\n|---|---|")
    domain_table.write(work / "train.csv", [(text, "lipo") for text in train])
    domain_table.write(work / "many.csv", [(text, "x") for text in many])
    command = [arguments.headroom, "domain", work / "train.csv", work / "many.csv", "--out", work / "many-domain.csv",
               "--store", arguments.store or work / "store", "--page-rows", 0]
    if arguments.weights:
        command += ["--weights", arguments.weights]
    started = time.time()
    told = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stderr
    print(f"| headroom domain, the whole command from SMILES, with all columns | {time.time() - started:.1f} |")
    print("".join(f"|   {line.strip()} | |\n" for line in told.splitlines() if "calibration" in line or "comparing" in line), end="")
    for title, kind, judge in rivals(arguments):
        queries, known = kinds[kind][places], kinds[kind][train_places]
        started = time.time()
        try:
            judge(known, queries)
            print(f"| {title} | {time.time() - started:.1f} |", flush=True)
        except Exception as problem:
            print(f"| {title} | failed: {str(problem)[:90]} |", flush=True)


def main():
    parser = domain_table.argument_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--skip-large", action="store_true")
    parser.add_argument("--only", help="rivals, separated by commas, as the tables name them")
    arguments = parser.parse_args()
    sets = domain_table.read_smiles(arguments.molecules)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        pairs(arguments, work, sets)
        if not arguments.skip_large:
            large(arguments, work, sets)


if __name__ == "__main__":
    main()
