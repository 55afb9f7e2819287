"""Translates one call of the Python project."""

import os.path
from typing import List, Optional, Set

from .experiments import ExperimentCommands
from .good_benchmarks import is_good_data_set, make_good_benchmark
from .known_values import KnownValues
from .old_command import OldCommand
from .old_options import OldOption, options_of
from .tables import Option, is_met, tables
from .words import readable, shell_word

_TRAIN, _EVALUATE, _SCORE, _BASELINE = "t", "v", "s", "b"

#: Expansions that the shell may replace by several words or by none.
_LISTS = ("[@]", "[*]", "$@", "$*", "${@", "${*")

#: Options that have no effect on an evaluation, because the run stores them.
_OF_BENCHMARK = ("--dataset", "--data_file", "--drugood_subset", "--good_domain", "--good_shift", "--splits_cache_file")


def _counterpart_of(old: OldOption, verb: str) -> Optional[Option]:
    """Returns the row of the counterpart in the option table of `train` or `baseline`, or None if the verb does not
    have the option."""
    rows = tables()["baseline" if verb == _BASELINE else "train"] if verb in (_TRAIN, _BASELINE) else []
    return next((row for row in rows if old.counterpart == "--" + row["name"]), None)


class _Line:
    """A command that is being built."""

    def __init__(self, *words: str) -> None:
        self._words = list(words)

    def word(self, word: str) -> "_Line":
        self._words.append(shell_word(word))
        return self

    def option(self, name: str, value: str) -> "_Line":
        return self.word(name).word(value)

    @property
    def text(self) -> str:
        return " ".join(self._words)


class Translation:
    """Translates a call of a Python program. `values`: the possible values of the variables in the script.

    If there is no counterpart, there are no lines, and a warning says so.
    """

    def __init__(self, old: OldCommand, values: Optional[KnownValues] = None) -> None:
        self.lines: List[str] = []  #: commands in the order in which they run
        self.warnings: List[str] = []  #: "--num_workers: no worker processes ..."
        #: A word whose value determines the translation but is not known yet. `molgauge migrate --run` must then
        #: translate the call at run time. Empty if the lines are right for every value.
        self.open_question = ""
        self._old = old
        self._options = options_of(old.program)
        self._values = values or KnownValues()
        self._placed: Set[str] = set()  #: options that have been translated
        for word in old.unknown:
            self._warn(word, f"no option of {old.name}. Left out")
            self._require_settled(word)
        for option in old.without_value:
            self._warn(option, "takes a value, and none is given. Left out")
        for name in sorted(old.given):
            for word in old.given[name]:
                is_list = self._options[name].kind == "list" or any(mark in word for mark in _LISTS)
                if is_list or name == "--log_level":
                    self._require_settled(word)
        self._translate()

    def _translate(self) -> None:
        by_program = {"p": self._score_as_predictor, "b": self._baseline, "x": self._experiment}
        by_mode = {"train": self._train, "eval": self._evaluate, "predict": self._score}
        program = by_program.get(self._old.program)
        mode = self._values.of(self._old.value("--mode")) or set()
        if program:
            program()
        elif len(mode) == 1 and mode <= set(by_mode):
            by_mode[mode.pop()]()
        else:
            self._warn("--mode", "train, eval or predict is required to find the verb")
            self._require_settled(self._old.value("--mode"))

    def _require_settled(self, word: str) -> None:
        """If this word contains a substitution, the call must be translated at run time."""
        if "$" in word and not self.open_question:
            self.open_question = readable(word)

    def _warn(self, option: str, text: str) -> None:
        self.warnings.append(readable(f"{option}: {text}"))

    def _append_options(self, line: _Line, verb: str) -> None:
        """Appends the options whose counterpart in this verb has the same form, and warns about the
        others."""
        for name, option in self._options.items():
            if not self._old.has(name) or name in self._placed:
                continue
            if verb not in option.verbs:
                now = f"now {option.counterpart}: " if option.counterpart and option.explanation else ""
                self._warn(name, now + (option.explanation or "the run knows it"))
            elif self._has_effect(option, verb):
                self._append(line, option, self._old.value(name))

    def _has_effect(self, option: OldOption, verb: str) -> bool:
        """Whether the counterpart has an effect in combination with the other options. Warns if it does
        not."""
        row = _counterpart_of(option, verb)
        for condition in row["conditions"] if row else []:
            deciding = self._deciding_option(condition["option"], verb)
            if deciding is None:
                continue
            if deciding.kind == "flag":
                value = "true" if self._old.has(deciding.name) else ""
            else:
                value = self._old.value(deciding.name, deciding.preset)
            possible = self._values.of(value)
            met = [is_met(condition, text) for text in possible] if possible else []
            if possible and not any(met):
                self._warn(option.name, f"has no effect with {deciding.name} {readable(value)}. Left out")
                return False
            if not possible or not all(met):
                self._require_settled(value)
        return True

    def _deciding_option(self, name: str, verb: str) -> Optional[OldOption]:
        """Returns the option of the Python program that corresponds to the option ``name`` of Molgauge."""
        for option in self._options.values():
            row = _counterpart_of(option, verb)
            if row and row["name"] == name:
                return option
        return None

    def _append(self, line: _Line, option: OldOption, value: str) -> None:
        line.word(option.counterpart)
        if option.kind != "flag":
            if option.name == "--log_level":
                value = "warn" if value == "WARNING" else value.lower()
            line.word(value)
        # No warning for an option that belongs to one loss or method, because its meaning has not changed.
        row = _counterpart_of(option, _BASELINE) or _counterpart_of(option, _TRAIN)
        fits = (row and row["conditions"]) or (option.name == "--foundation_model" and value == "minimol")
        if option.explanation and not fits:
            self._warn(option.name, option.explanation)

    def _preset(self, option: str) -> str:
        """Returns the default of an option, without "./" at the beginning of a folder."""
        preset = self._options[option].preset
        return preset[2:] if preset.startswith("./") else preset

    def _place_benchmark(self, line: _Line, run: str) -> None:
        """Adds the argument BENCHMARK to a command that trains. It is a file, or a name with the option for the
        folder of the file.

        A data set of GOOD is made first. If the call names no data set, the placeholder BENCHMARK is used. The Python
        program also refused such a call.
        """
        old = self._old
        self._placed |= {"--dataset", "--data_file", "--drugood_subset", "--good_domain", "--good_shift"}
        dataset = old.value("--dataset")
        names = self._values.of(dataset)
        is_good = names is not None and any(is_good_data_set(name) for name in names)
        if names is None or (is_good and "$" in dataset):
            self._require_settled(dataset)
        name = old.value("--drugood_subset", dataset)
        if is_good:
            self._placed.add("--data_path")
            line.word(self._good_benchmark()).option("--run", run)
        elif old.has("--data_file"):
            line.word(old.value("--data_file")).option("--run", run)
        elif not name:
            self._warn(
                "--dataset",
                "no data set is named (--dataset, --data_file or --drugood_subset). Replace BENCHMARK by a "
                "benchmark file of molgauge split",
            )
            line.word("BENCHMARK").option("--run", run)
        else:
            line.word(name).option("--run", run)
            self._name_data_path(line)

    def _name_data_path(self, line: _Line) -> None:
        """If the call uses the default data folder of its program, adds this folder to the command."""
        if not self._old.has("--data_path"):
            line.option("--data-path", self._preset("--data_path"))

    def _good_benchmark(self) -> str:
        """Returns the file of a data set of GOOD. Adds the command that makes it, unless the command was
        added before."""
        domain = self._old.value("--good_domain", "scaffold")
        shift = self._old.value("--good_shift", "covariate")
        self._require_settled(domain)
        self._require_settled(shift)
        folder = self._old.value("--data_path", self._preset("--data_path"))
        made = make_good_benchmark(self._old.value("--dataset"), domain, shift, folder)
        self.lines.append(made.command)
        self._warn("--dataset", made.remark)
        return made.file

    def _use_cached_features(self, line: _Line) -> None:
        """Imports a cache of features, and makes the verb use it."""
        if not self._old.has("--feature_cache_file"):
            return
        self._placed.add("--feature_cache_file")
        file = shell_word(self._old.value("--feature_cache_file"))
        self.lines.append(f"molgauge store import {file} --name python")
        line.option("--features", "imported:python")
        self._warn("--feature_cache_file", "the first command imports them once into their own space")

    def _default_run(self) -> str:
        return "runs/" + self._old.value("--exp_name", "first")

    def _train(self) -> None:
        line = _Line("molgauge train")
        self._placed |= {"--mode", "--output_dir"}
        self._place_benchmark(line, self._old.value("--output_dir", self._default_run()))
        if not self._old.has("--output_dir"):
            self._warn("--output_dir", "is required now (--run). The default folder contained the time")
        self._use_cached_features(line)
        self._append_options(line, _TRAIN)
        patience = "--early_stopping_patience"
        for old, option in (("--epochs", "--epochs"), (patience, "--patience")):
            if not self._old.has(old):
                line.option(option, self._preset(old))  # Molgauge has other defaults
        line.option("--early-stopping", "reference")
        if not self._old.has(patience):
            self._warn(patience, self._options[patience].explanation)
        self.lines.append(line.text)

    def _baseline(self) -> None:
        line = _Line("molgauge baseline")
        self._placed.add("--output_dir")
        self._place_benchmark(line, self._old.value("--output_dir", "baseline_results"))
        if not self._old.has("--foundation_model"):
            line.option("--encoder", self._preset("--foundation_model"))
            self._warn("--foundation_model", "the default of baselines.py was unimol, the default of molgauge is minimol")
        self._append_options(line, _BASELINE)
        line.option("--metrics", "baseline").option("--calibration", "validation")
        self._warn(
            "--metrics",
            "baseline gives AUPR and FPR95 as in baselines.py. The default of molgauge is evaluation, as in main.py",
        )
        self._warn(
            "--calibration",
            "validation calibrates conformal with the molecules that selected its classifier, as in baselines.py. "
            "The default of molgauge is held-out, which has valid p-values and other results for conformal",
        )
        self.lines.append(line.text)

    def _experiment(self) -> None:
        """Translates a call of an experiment script. A specification file replaces its options."""
        made = ExperimentCommands(self._old)
        for name in sorted(self._old.given):
            for word in self._old.given[name]:
                self._require_settled(word)
        self.lines = made.lines
        self.warnings += [readable(warning) for warning in made.warnings]

    def _place_run(self) -> str:
        """Returns the run folder. For a best_model.pth, this is the folder that contains the file, because `molgauge`
        also finds the model there."""
        self._placed |= {"--mode", "--model_path", "--output_dir"}
        model, folder = self._old.value("--model_path"), self._old.value("--output_dir")
        if model and not (folder and model.startswith(folder)):
            return self._run_of(model)
        if model:
            self._name_folder_of_model()
        elif not folder:
            self._warn(
                "--model_path",
                "the call names no run. This is the folder in which a call without --output_dir trains now",
            )
        return folder or self._default_run()

    def _run_of(self, model: str) -> str:
        if os.path.basename(model) == "best_model.pth" and not self._old.has("--feature_cache_file"):
            self._name_folder_of_model()
            return os.path.dirname(model) or "."
        if not _is_python_file(model):
            self._require_settled(model)
        return model

    def _name_folder_of_model(self) -> None:
        self._warn(
            "--model_path",
            "name the run folder of molgauge train, not a file in it. You can also name a folder or .pth file of the Python project",
        )

    def _choose_features(self, line: _Line, run: str) -> None:
        """Adds the encoder and the features for a .pth file. Runs of Molgauge already contain this information."""
        if _is_python_file(run):
            self._use_cached_features(line)
        else:
            self._placed |= {"--foundation_model", "--feature_cache_file"}

    def _evaluate(self) -> None:
        run = self._place_run()
        line = _Line("molgauge evaluate").word(run)
        self._choose_features(line, run)
        self._placed.update(_OF_BENCHMARK)
        file, subset = "--test_data_file", "--test_drugood_subset"
        if self._old.has(file) or self._old.has(subset):
            self._placed |= {file, subset}
            line.option("--data", self._old.value(file, self._old.value(subset)))
        if _is_python_file(run) or (self._old.has(subset) and not self._old.has(file)):
            self._name_data_path(line)
        self._append_options(line, _EVALUATE)
        self.lines.append(line.text)

    def _add_score(self, run: str, file: str, list_option: str, options: _Line) -> None:
        """Adds a command that scores molecules from a file or from standard input."""
        tail = " " + options.text if options.text else ""
        listed = self._old.given.get(list_option)
        if not file and listed is not None:
            smiles = " ".join(shell_word(one) for one in listed)
            self.lines.append(f"printf '%s\\n' {smiles} | molgauge score {shell_word(run)} -{tail}")
            return
        if not file:
            self._warn(list_option, "no molecules are named. SMILES are read from standard input, one per line")
        self.lines.append(f"molgauge score {shell_word(run)} {shell_word(file or '-')}{tail}")

    def _score(self) -> None:
        run = self._place_run()
        self._placed.update(_OF_BENCHMARK, {"--test_smiles", "--test_file"})
        options = _Line()
        self._choose_features(options, run)
        options.option("--format", "csv")
        self._append_options(options, _SCORE)
        self._warn("--mode", "predict wrote prediction_results.txt. Scores are printed, or written with --out FILE.csv")
        self._add_score(run, self._old.value("--test_file"), "--test_smiles", options)

    def _score_as_predictor(self) -> None:
        run = self._run_of(self._old.value("--model_path")) if self._old.has("--model_path") else "RUN"
        self._placed |= {"--model_path", "--input_file", "--smiles"}
        options = _Line()
        self._append_options(options, _SCORE)
        self._add_score(run, self._old.value("--input_file"), "--smiles", options)


def _is_python_file(path: str) -> bool:
    return os.path.splitext(path)[1] in (".pth", ".pt")
