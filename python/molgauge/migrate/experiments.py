"""Replaces an experiment script by the benchmarks that it needs, a specification, and the commands that run the
specification."""

import re
from typing import List, NamedTuple, Tuple

from .good_benchmarks import is_good_data_set, make_good_benchmark
from .old_command import OldCommand
from .words import readable, shell_word, without_folders

_END_OF_FILE = "END_OF_SPECIFICATION"

_DRUGOOD = ["lbap_general_ec50_assay", "lbap_general_ec50_scaffold", "lbap_general_ec50_size"]
_LOSSES = ["dpo", "bce", "mse", "hinge"]
_METHODS = [
    "msp", "odin", "energy", "mahalanobis", "knn", "lof", "mc_dropout", "conformal", "dam_msp", "dam_energy",
]  # fmt: skip


class _Study(NamedTuple):
    """Fixed settings of an experiment script of the Python project. They are not options of the script. They
    come from its documentation."""

    title: str
    stem: str
    has_good_sets: bool = False
    has_baselines: bool = False
    has_all_losses: bool = False
    has_pairs: bool = False
    epochs: str = "500"
    batch_size: str = "8192"
    out: str = "outputs"


_ABLATION = _Study("Loss ablation", "ablation", has_all_losses=True)
_STUDIES = {
    "run_experiments.sh": _Study("Energy-DPO over seeds", "experiments"),
    "run_good_experiments.sh": _Study(
        "Energy-DPO on GOOD", "good_experiments", has_good_sets=True, epochs="50", batch_size="512"
    ),
    "run_baselines.sh": _Study("Baselines", "baselines", has_baselines=True, batch_size="1024", out="baseline_outputs"),
    "run_cross_dataset_experiments.sh": _Study("Across datasets", "cross_dataset", has_pairs=True, out="cross_dataset"),
    "run_ablation.sh": _ABLATION,
    "run_ablation_study.py": _ABLATION,
}


def _quoted(text: str) -> str:
    """Returns a text as a quoted string of TOML."""
    escaped = re.sub(r'(["\\])', r"\\\1", readable(text))
    return '"' + re.sub("[\x00-\x1f]", " ", escaped) + '"'


def _list_of(texts: List[str]) -> str:
    return "[" + ", ".join(_quoted(text) for text in texts) + "]"


def _name_of(text: str) -> str:
    """Returns a name for the specification. Characters that are not allowed become dashes."""
    return re.sub("[^A-Za-z0-9_]", "-", text)


def _is_number(text: str) -> bool:
    return re.fullmatch("[0-9.eE+-]+", text) is not None


def _drugood_name(name: str) -> str:
    """Returns the name of a DrugOOD file without its prefix. The Python project uses the prefix to
    recognise the kind of the file."""
    prefix = "drugood_"
    return name[len(prefix) :] if name.startswith(prefix) else name


class ExperimentCommands:
    """Makes the commands for a call of an experiment script.

    run_finetune_comparison.sh has no counterpart. A call of it gives a warning instead of commands.
    """

    def __init__(self, old: OldCommand) -> None:
        self.lines: List[str] = []
        self.warnings: List[str] = []
        self._old = old
        study = _STUDIES.get(old.name)
        if study is None:
            self.warnings.append(
                f"{old.name}: compares a frozen encoder with a fine-tuned encoder. Run `molgauge train --encoder unimol` for "
                "each seed, with --finetune-encoder and without, and `molgauge evaluate` on each of the folders"
            )
            return
        self._study = study
        self._text = f"title = {_quoted(study.title)}\n"
        self._folder = old.value("--data_path", "data/raw")
        self._add_matrix()
        self._add_training()
        if study.has_pairs:
            self._add_pairs()
        else:
            self._add_benchmarks()
        self._add_methods()
        self._explain_the_rest()
        file, out = f"{study.stem}.toml", shell_word(old.value("--output_dir", study.out))
        self.lines += [
            f"cat > {file} <<'{_END_OF_FILE}'\n{self._text}{_END_OF_FILE}",
            f"molgauge experiment {file} --data-path {shell_word(self._folder)} --out {out}",
            f"molgauge migrate --summaries {out}",
        ]

    def _warn(self, option: str, text: str) -> None:
        self.warnings.append(f"{option}: {text}")

    def _values(self, option: str, otherwise: List[str]) -> List[str]:
        return self._old.given.get(option) or otherwise

    def _number(self, option: str, otherwise: str) -> str:
        """Returns a number from the call, or the default of the script."""
        given = self._old.value(option, otherwise)
        if _is_number(given):
            return given
        self._warn(option, f"'{readable(given)}' is not a number. Using {otherwise}")
        return otherwise

    def _numbers(self, option: str, otherwise: List[str]) -> List[str]:
        """Returns the seeds of the call. The scripts accept them as several words, or as one word with commas."""
        numbers = []
        for word in self._values(option, otherwise):
            for one in re.findall("[^ ,]+", word):
                if _is_number(one):
                    numbers.append(one)
                else:
                    self._warn(option, f"'{readable(one)}' is not a number. Left out")
        return numbers

    def _add_matrix(self) -> None:
        seeds = self._numbers("--seeds", [str(seed) for seed in range(1, 11)])
        if self._old.has("--quick") and not self._old.has("--seeds"):
            seeds = ["1"]
            self._warn("--quick", "one seed and 10 epochs if the call names none")
        elif not self._old.has("--seeds"):
            self._warn("--seeds", "the call names none. The specification has the seeds 1 to 10")
        encoders = _list_of(self._values("--foundation_models", ["minimol"]))
        self._text += f"\n[matrix]\nencoders = {encoders}\nseeds = [{', '.join(seeds)}]\n"
        if self._old.has("--data_seed"):
            self._text += f"data-seeds = [{', '.join(self._numbers('--data_seed', []))}]\n"

    def _add_training(self) -> None:
        epochs = self._number("--epochs", "10" if self._old.has("--quick") else self._study.epochs)
        batch = self._number("--batch_size", self._study.batch_size)
        lengths = f"epochs = {epochs}\nbatch-size = {batch}\n"
        if self._study.has_baselines:
            self._text += f'\n[classifier]\n{lengths}patience = 30\nmetrics = "baseline"\ncalibration = "validation"\n'
            self._warn(
                "[classifier]",
                "metrics and calibration are as in baselines.py. The defaults of molgauge are evaluation and held-out",
            )
            return
        self._text += f'\n[training]\n{lengths}patience = 10\nearly-stopping = "reference"\n'
        if not self._study.has_good_sets:
            self._text += "eval-batch-size = 4096\neval-steps = 25\n"
        if self._old.has("--lr"):
            self._text += f"lr = {self._number('--lr', '1e-4')}\n"

    def _add_benchmark(self, name: str, file: str) -> None:
        self._text += f"\n[[benchmark]]\nname = {_quoted(_name_of(name))}\nfile = {_quoted(file)}\n"

    def _add_good_benchmark(self, data_set: str, domain: str, shift: str) -> None:
        made = make_good_benchmark(data_set, domain, shift, self._folder)
        self.lines.append(made.command)
        self._warn("--datasets", made.remark)
        file = without_folders(made.file)
        self._add_benchmark(file[: -len(".json")], file)

    def _defaults(self) -> Tuple[List[str], List[str], List[str]]:
        """Returns the default data sets, domains and shifts of the script."""
        if self._study.has_good_sets:
            return ["hiv", "pcba", "zinc"], ["size", "scaffold"], ["covariate", "concept", "no_shift"]
        return ["lbap_general_ec50_scaffold"] if self._study.has_all_losses else _DRUGOOD, ["scaffold"], ["covariate"]

    def _add_benchmarks(self) -> None:
        names, domains, shifts = self._defaults()
        domains = self._values("--domains", self._values("--good_domain", domains))
        shifts = self._values("--shifts", self._values("--good_shift", shifts))
        for name in self._values("--datasets", names):
            if not self._study.has_good_sets and not is_good_data_set(name):
                self._add_benchmark(_drugood_name(name), _drugood_name(name) + ".json")
                continue
            for domain in domains:
                for shift in shifts:
                    self._add_good_benchmark(name, domain, shift)

    def _add_pairs(self) -> None:
        """Adds a benchmark for each ordered pair of different files. The first file is for training, the second for
        testing."""
        names = [_drugood_name(name) for name in self._values("--datasets", _DRUGOOD)]
        for trained in names:
            for tested in names:
                if trained != tested:
                    self._add_benchmark(f"{trained}_to_{tested}", f"{trained}.json")
                    self._text += f"test = {_quoted(tested + '.json')}\ndrop-trained = true\n"
        self._warn(
            "drop-trained",
            "test molecules that are training molecules are left out. The Python program kept them",
        )

    def _add_methods(self) -> None:
        if self._study.has_baselines:
            given = self._values("--methods", _METHODS)
            for kind in _METHODS if given == ["all"] else given:
                name = "free-energy" if kind == "energy" else _name_of(kind)
                self._text += f"\n[[method]]\nname = {_quoted(name)}\nkind = {_quoted(kind)}\n"
                self._text += "odin-temperature = 1000\n" if kind == "odin" else ""
            return
        for loss in self._values("--only_loss_types", _LOSSES if self._study.has_all_losses else ["dpo"]):
            self._text += f"\n[[method]]\nname = {_quoted('energy-' + _name_of(loss))}\nloss = {_quoted(loss)}\n"

    def _explain_the_rest(self) -> None:
        """Warns about options of the call that have no effect on this study."""
        if self._old.has("--skip_training"):
            self._warn("--skip_training", "finished runs are never computed again")
        taken = {
            "--methods": self._study.has_baselines,
            "--only_loss_types": not self._study.has_baselines,
            "--lr": not self._study.has_baselines,
        }
        for option, is_taken in taken.items():
            if self._old.has(option) and not is_taken:
                self._warn(option, f"{self._old.name} does not use it. Left out")
