"""Compares `molgauge domain` with the detectors of PyOD and scikit-fingerprints, and its search with
faiss, on this machine.

    python bench/peers/domain_peers.py --molgauge build/release/bin/molgauge --molecules FOLDER [--weights W]
        [--store S] [--seeds 10] [--limit 600] [--tables pairs,large,search] [--only NAMES] [--bulk-knn]
        [--bench build/release/bin/bench_domain]

Needs numpy, rdkit, pyod, scikit-fingerprints, faiss-cpu. Prints three tables:

pairs   AUROC and false alarms on the twenty pairs of bench/domain_table.py, with the same draws for each seed. Every
        program has its defaults. If a program has a threshold, 5 % of its training scores exceed it. AUROCs
        are means over the pairs with 95 % intervals over the seeds. --bulk-knn computes the distances of the
        KNN detector of scikit-fingerprints by one matrix product instead of one Python call for each pair.
        The script stops if the package gives other numbers for 20 molecules.
large   the time for 100,000 candidates against 80 % of lipo, with features in memory on both sides.
search  exact nearest neighbours of 2,000 rows among 100,000 x 512 on two threads, the flat index of faiss and Molgauge in turns.

PyOD reads features of MiniMol. The checkers of scikit-fingerprints read ECFP counts, and its KNN checker reads ECFP
bits, as in the documentation of the package. The row of the parents has the same distance as this checker (1 neighbour,
Tanimoto distance of 2,048 bits), but standardises each molecule by ChargeParent of RDKit, because `molgauge domain` compares
parents, too. Each program runs in a separate process for at most --limit seconds a
table. If a program does not finish in this time, its line has only the finished pairs. In the table `large`, the line
has the time of the largest finished part of the candidates. Seconds are processor time of fitting and scoring,
because other programs on the machine disturb it less than wall time.
"""

import json
import multiprocessing
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import domain_choice  # noqa: E402
import domain_table  # noqa: E402


def all_rivals():
    """Returns a list of (name, kind of input, fit). fit(training rows) returns two functions, which score and flag
    other rows.
    """
    from pyod.models.ecod import ECOD
    from pyod.models.knn import KNN
    from skfp.applicability_domain import (BoundingBoxADChecker, KNNADChecker, LeverageADChecker,
                                           PCABoundingBoxADChecker, TOPKATADChecker)

    def pyod(make):
        def fit(train):
            model = make(contamination=0.05)
            model.fit(train)
            return model.decision_function, lambda queries: model.predict(queries) == 1
        return fit

    def skfp(make, outwards):
        """Adapts a checker. `outwards` is 1 if, according to its documentation, larger scores are farther outside,
        else -1.
        """
        def fit(train):
            checker = make()
            checker.fit(train)
            return (lambda queries: outwards * np.asarray(checker.score_samples(queries), dtype=float),
                    lambda queries: ~np.asarray(checker.predict(queries)))
        return fit

    return [("PyOD KNN", "features", pyod(KNN)),
            ("PyOD ECOD", "features", pyod(ECOD)),
            ("skfp KNN", "bits", skfp(KNNADChecker, 1)),
            ("nearest neighbour, ECFP bits of parents", "parent bits", fit_bulk_knn),
            ("skfp leverage", "counts", skfp(LeverageADChecker, 1)),
            ("skfp bounding box", "counts", skfp(BoundingBoxADChecker, -1)),
            ("skfp PCA bounding box", "counts", skfp(PCABoundingBoxADChecker, -1)),
            ("skfp TOPKAT", "counts", skfp(TOPKATADChecker, 1))]


class BulkKnn:
    """Computes the scores and the threshold of KNNADChecker of scikit-fingerprints with its defaults (1 neighbour,
    Tanimoto distance of bits).
    """

    def fit(self, train):
        from skfp.applicability_domain import KNNADChecker
        self.train = train.astype(np.float32)
        self.bits = self.train.sum(axis=1)
        distances = self.distances(train)
        distances[np.arange(len(train)), distances.argmin(axis=1)] = np.inf  # a molecule is not its own neighbour
        self.threshold = np.percentile(distances.min(axis=1), 95)
        few = train[:200]
        package = KNNADChecker().fit(few)
        own = BulkKnn.__new__(BulkKnn)
        own.train, own.bits = self.train[:200], self.bits[:200]
        probes = train[200:220]
        if not np.allclose(package.score_samples(probes), own.score(probes), atol=1e-6):
            raise RuntimeError("the distances of --bulk-knn are not those of the package")
        return self

    def distances(self, queries):
        queries = queries.astype(np.float32)
        common = queries @ self.train.T
        either = queries.sum(axis=1)[:, None] + self.bits[None, :] - common
        return 1 - np.where(either > 0, common / np.maximum(either, 1), 1)

    def score(self, queries):
        return self.distances(queries).min(axis=1)


def fit_bulk_knn(train):
    model = BulkKnn().fit(train)
    return model.score, lambda queries: model.score(queries) > model.threshold


def rivals(arguments):
    names = arguments.only.split(",") if arguments.only else None
    found = [rival for rival in all_rivals() if names is None or rival[0] in names]
    return [(title, kind, fit_bulk_knn if arguments.bulk_knn and title == "skfp KNN" else fit) for title, kind, fit in found]


def within(limit, work):
    """Runs `work(report)` in a separate process. Returns its report, and "done", "time" or the reason of its
    failure."""
    ours, theirs = multiprocessing.Pipe(duplex=False)

    def run():
        ours.close()
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        try:
            work(theirs.send)
            theirs.send("done")
        except Exception as problem:  # if a rival fails, the table has a line about it
            theirs.send(f"failed: {str(problem)[:90]}")

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    theirs.close()
    found, how = [], "time"
    try:
        while True:
            report = ours.recv()
            if isinstance(report, str):
                how = report
            else:
                found.append(report)
    except EOFError:
        process.join()
    return found, how


def features_of(arguments, work, name, smiles):
    domain_table.write(work / f"{name}.csv", [(text, name) for text in smiles])
    command = [arguments.molgauge, "encode", work / f"{name}.csv", "--out", work / f"{name}.npy", "--store",
               arguments.store or work / "store", "--quiet"]
    if arguments.weights:
        command += ["--weights", arguments.weights]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return np.load(work / f"{name}.npy")


def fingerprints(smiles, count, parent=False):
    from rdkit import Chem, DataStructs, RDLogger
    from rdkit.Chem.MolStandardize import rdMolStandardize
    from rdkit.Chem import rdFingerprintGenerator
    RDLogger.DisableLog("rdApp.*")
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    rows = np.zeros((len(smiles), 2048), dtype=np.float32 if count else np.uint8)
    for i, text in enumerate(smiles):
        molecule = Chem.MolFromSmiles(text)
        if parent:
            molecule = rdMolStandardize.ChargeParent(molecule)
        make = generator.GetCountFingerprint if count else generator.GetFingerprint
        DataStructs.ConvertToNumpyArray(make(molecule), rows[i])
    return rows


def kinds_of(arguments, work, name, smiles):
    return {"features": features_of(arguments, work, name, smiles), "counts": fingerprints(smiles, True),
            "bits": fingerprints(smiles, False), "parent bits": fingerprints(smiles, False, parent=True)}


def pairs(arguments, work, sets):
    kinds = {name: kinds_of(arguments, work, name, smiles) for name, smiles in sets.items()}
    print("| detector | pairs | mean AUROC (95 % interval over seeds) | least | false alarms at 5 % | seconds |\n|---|---|---|---|---|---|")
    for title, kind, fit in rivals(arguments):
        def judge_all(report):
            for name in domain_table.SETS:
                for seed in range(arguments.seeds):
                    order = list(range(len(sets[name])))
                    random.Random(seed).shuffle(order)
                    cut = len(order) * 4 // 5
                    train, held = order[:cut], order[cut:]
                    blocks = [kinds[name][kind][held]]
                    others = [other for other in domain_table.SETS if other != name]
                    for other in others:
                        places = random.Random(1000 + seed).sample(range(len(sets[other])), domain_table.FOREIGN)
                        blocks.append(kinds[other][kind][places])
                    started = time.process_time()
                    score, flag = fit(kinds[name][kind][train])
                    scores = score(np.concatenate(blocks))
                    seconds = time.process_time() - started
                    flagged = flag(blocks[0])
                    scores = np.nan_to_num(scores, posinf=1e30, neginf=-1e30)
                    values = {}
                    for i, other in enumerate(others):
                        first = len(held) + i * domain_table.FOREIGN
                        values[(name, other)] = domain_table.auroc(
                            list(scores[:len(held)]), list(scores[first:first + domain_table.FOREIGN]))
                    report((seed, values, float(flagged.mean()), seconds))

        found, how = within(arguments.limit, judge_all)
        of_pair = {}
        of_seed = {}
        for seed, values, _, _ in found:
            of_seed.setdefault(seed, []).extend(values.values())
            for pair, value in values.items():
                of_pair.setdefault(pair, []).append(value)
        means = [statistics.mean(values) for values in of_pair.values()]
        if not means:
            print(f"| {title} | none: {'more than %d s' % arguments.limit if how == 'time' else how} | | | | |", flush=True)
            continue
        by_seed = [statistics.mean(values) for values in of_seed.values() if len(values) == 20]
        mean_auroc = domain_choice.text(by_seed) if how == "done" else f"{statistics.mean(means):.3f}"
        seconds = sum(own for _, _, _, own in found)
        unfinished = "" if how == "done" else f", then {'out of time' if how == 'time' else how}"
        print(f"| {title} | {len(means)} of 20{unfinished} | {mean_auroc} | {min(means):.3f} | "
              f"{100 * statistics.mean(alarm for _, _, alarm, _ in found):.1f} % | "
              f"{'' if how == 'done' else 'more than '}{seconds:.1f} |", flush=True)


def large(arguments, work, sets):
    smiles = [text for name in domain_table.SETS for text in sets[name]]
    many = (smiles * (100000 // len(smiles) + 1))[:100000]
    train = sets["lipo"][:len(sets["lipo"]) * 4 // 5]
    table = {text: i for i, text in enumerate(dict.fromkeys(smiles))}
    kinds = kinds_of(arguments, work, "all", list(table))
    places, train_places = [table[text] for text in many], [table[text] for text in train]
    domain_table.write(work / "train.csv", [(text, "lipo") for text in train])
    domain_table.write(work / "many.csv", [(text, "x") for text in many])
    command = [arguments.molgauge, "domain", work / "train.csv", work / "many.csv", "--out", work / "many-domain.csv",
               "--store", arguments.store or work / "store", "--page-rows", 0]
    if arguments.weights:
        command += ["--weights", arguments.weights]
    print("\n| detector | 100,000 candidates |\n|---|---|")
    before = resources()
    told = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stderr
    print(f"| molgauge domain, the whole command from SMILES, all columns | {resources() - before:.1f} s of processor time |")
    print("".join(f"| - of which {line.strip()} (by the clock) | |\n" for line in told.splitlines()
                  if line.startswith(("calibration", "comparing", "writing"))), end="", flush=True)
    for name, rows, texts in (("training", train_places, train), ("candidates", places, many)):
        np.save(work / f"{name}.npy", np.ascontiguousarray(kinds["features"][rows], dtype=np.float32))
        (work / f"{name}.smi").write_text("\n".join(texts) + "\n")
    told = subprocess.run([arguments.bench, "--benchmark_filter=ScoreCandidates", "--benchmark_format=json"], check=True,
                          capture_output=True, text=True, env={**os.environ, "MOLGAUGE_BENCH_DOMAIN": str(work)}).stdout
    print(f"| molgauge's default, scores alone, features and environments at hand | "
          f"{json.loads(told)['benchmarks'][0]['cpu_time'] / 1000:.1f} s |", flush=True)
    for title, kind, fit in rivals(arguments):
        def judge_parts(report):
            started = time.process_time()
            score, _ = fit(kinds[kind][train_places])
            fitted = time.process_time() - started
            for part in (1000, 10000, 100000):
                started = time.process_time()
                score(kinds[kind][places[:part]])
                report((part, fitted + time.process_time() - started))

        found, how = within(arguments.limit, judge_parts)
        if how == "done":
            print(f"| {title} | {found[-1][1]:.1f} s |", flush=True)
        else:
            last = f"; {found[-1][0]} of them took {found[-1][1]:.1f} s" if found else ""
            print(f"| {title} | {'more than %d s' % arguments.limit if how == 'time' else how}{last} |", flush=True)


def resources():
    """Returns the processor seconds of the child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def search(arguments):
    import faiss
    threads, repetitions = 2, 7
    faiss.omp_set_num_threads(threads)
    numbers = np.random.default_rng(1)
    points = numbers.standard_normal((100000, 512), dtype=np.float32)
    queries = numbers.standard_normal((2000, 512), dtype=np.float32)
    faiss.normalize_L2(points)
    faiss.normalize_L2(queries)
    index = faiss.IndexFlatIP(512)
    index.add(points)
    times = {"faiss-cpu IndexFlatIP": [], "molgauge": []}
    for _ in range(repetitions):
        started, used = time.time(), time.process_time()
        index.search(queries, 5)
        times["faiss-cpu IndexFlatIP"].append((time.time() - started, time.process_time() - used))
        told = subprocess.run([arguments.bench, f"--benchmark_filter=CosineSearch/{threads}", "--benchmark_format=json"],
                              check=True, capture_output=True, text=True).stdout
        own = json.loads(told)["benchmarks"][0]
        times["molgauge"].append((own["real_time"] / 1000, own["cpu_time"] / 1000))
    print(f"\n| search, {repetitions} repetitions in turns | by the clock: least, median | processor time: least, median |")
    print("|---|---|---|")
    for title, found in times.items():
        cells = [f"{min(own):.2f}, {statistics.median(own):.2f} s" for own in zip(*found)]
        print(f"| {title} | {cells[0]} | {cells[1]} |")


def main():
    parser = domain_table.argument_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--bulk-knn", action="store_true", help="distances of skfp KNN by one matrix product")
    parser.add_argument("--limit", type=int, default=600, help="seconds for a rival and table")
    parser.add_argument("--tables", default="pairs,large,search")
    parser.add_argument("--only", help="rivals, separated by commas, as the tables name them")
    parser.add_argument("--bench", default="build/release/bin/bench_domain")
    arguments = parser.parse_args()
    tables = arguments.tables.split(",")
    sets = domain_table.read_smiles(arguments.molecules)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if "pairs" in tables:
            pairs(arguments, work, sets)
        if "large" in tables:
            large(arguments, work, sets)
    if "search" in tables:
        search(arguments)


if __name__ == "__main__":
    main()
