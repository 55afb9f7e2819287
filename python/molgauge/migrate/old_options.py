"""The table of the options of the Python project and their counterparts in Molgauge."""

from typing import Dict, List, NamedTuple, Optional

#: The programs. Each has a letter, which stands for the program in the table below.
PROGRAMS = {
    "e": "main.py",
    "g": "main_generalization.py",
    "p": "prediction.py",
    "b": "baselines.py",
    "x": "experiment scripts",
}


class OldOption(NamedTuple):
    """One option of the Python project, and its counterpart."""

    programs: str  #: letters of PROGRAMS
    name: str  #: "--dpo_beta"
    preset: str  #: its default, or empty
    #: Letters of the verbs that have the counterpart (t train, v evaluate, s score, b baseline, x experiment).
    verbs: str
    counterpart: str  #: for example "--dpo-beta" or "BENCHMARK". Empty if there is none
    explanation: str  #: what has changed, or why there is no counterpart. Empty if nothing has changed
    kind: str = ""  #: "flag" if the option takes no value, "list" if it takes several


_DATA_PATH = "Molgauge looks for DATA/NAME.json, DATA/raw/NAME.json and DATA/drugood/NAME.json"
_FILE_OR_NAME = "a file, or a name in --data-path"
_FINE_TUNING = "left out with minimol, because its layers cannot be trained. 0-12 now freezes 13 layers and trains two"
_HEAD = "read from the model file"
_NAMED_FILE = "the name of the file in --data-path"
_OTHER_LOSS = "left out with a loss that does not use it"
_OTHER_METHOD = "left out with a method that does not use it"
_PACKED = "batches are packed by atoms. Use molgauge encode --batch-atoms"
_RUN = "a run folder, or a .pth file of the Python project"
_SPECIFICATION = "a key of the specification that molgauge migrate writes"
_SPLIT = "the benchmark is a file that molgauge split makes once"
_STALE = "the store separates rows by weights and options, so rows are never stale. Clean it with molgauge store prune"
_STORE = "a feature store instead of a folder of pickles. Import pickles with molgauge store import"
_UNIMOL = "the weights of unimol are installed with molgauge weights install unimol"
_WORKERS = "no worker processes. --threads sets the number of CPU threads, by default all"

_ROWS = (
    ("eg", "--mode", "", "tvs", "train, evaluate, score", "the verb"),
    ("eg", "--seed", "38", "t", "--seed",
     "the same training pairs, but other initial weights and dropout. Evaluation uses no random numbers"),
    ("eg", "--device", "cuda if available", "tvs", "--device", ""),
    ("eg", "--data_seed", "42", "t", "--data-seed", ""),
    ("eg", "--foundation_model", "minimol", "tvs", "--encoder", _UNIMOL),
    ("e", "--finetune_encoder", "", "t", "--finetune-encoder", _FINE_TUNING, "flag"),
    ("e", "--encoder_lr", "5e-6", "t", "--encoder-lr", _FINE_TUNING),
    ("e", "--freeze_layers", "0-12", "t", "--freeze-layers", _FINE_TUNING),
    ("eg", "--dataset", "", "t", "BENCHMARK", _FILE_OR_NAME),
    ("eg", "--data_path", "./data", "tv", "--data-path", _DATA_PATH),
    ("eg", "--data_file", "", "t", "BENCHMARK", ""),
    ("eg", "--drugood_subset", "", "t", "BENCHMARK", _NAMED_FILE),
    ("eg", "--good_domain", "scaffold", "", "split --domain", _SPLIT),
    ("eg", "--good_shift", "covariate", "", "split --shift",
     "the benchmark is a file that molgauge split makes once. no_shift is now none"),
    ("eg", "--hidden_dim", "256", "t", "--hidden-dim", ""),
    ("eg", "--dpo_beta", "0.1", "t", "--dpo-beta", _OTHER_LOSS),
    ("eg", "--loss_type", "dpo", "t", "--loss", ""),
    ("eg", "--hinge_margin", "1.0", "t", "--hinge-margin", _OTHER_LOSS),
    ("eg", "--hinge_topk", "0.0", "t", "--hinge-topk", _OTHER_LOSS),
    ("eg", "--hinge_squared", "", "t", "--hinge-squared", _OTHER_LOSS, "flag"),
    ("eg", "--lambda_reg", "0.01", "t", "--lambda-reg", ""),
    ("eg", "--epochs", "50", "t", "--epochs", ""),
    ("eg", "--batch_size", "512", "t", "--batch-size", ""),
    ("eg", "--eval_batch_size", "256", "t", "--eval-batch-size", ""),
    ("eg", "--lr", "1e-4", "t", "--lr", ""),
    ("eg", "--weight_decay", "1e-5", "t", "--weight-decay", ""),
    ("eg", "--eval_steps", "100", "t", "--eval-steps", ""),
    ("eg", "--save_steps", "1000", "", "", "had no effect. Molgauge saves every state within a second"),
    ("eg", "--early_stopping_patience", "10", "t", "--patience",
     "--early-stopping reference counts epochs as the Python project does, plain counts only epochs without an improvement"),
    ("eg", "--grad_clip", "1.0", "t", "--grad-clip", ""),
    ("eg", "--precompute_features", "", "", "", "features are always computed first", "flag"),
    ("eg", "--force_recompute_cache", "", "", "", _STALE, "flag"),
    ("eg", "--cache_root", "/home/ubuntu/projects", "", "--store", _STORE),
    ("eg", "--encoding_batch_size", "1000, generalisation 50", "", "", _PACKED),
    ("eg", "--feature_cache_file", "", "t", "--features imported:NAME", "after molgauge store import FILE --name NAME"),
    ("eg", "--splits_cache_file", "", "t", "--splits-cache", "only read, never written"),
    ("eg", "--output_dir", "runs/...", "t", "--run", "is required. molgauge evaluate also writes to this folder"),
    ("eg", "--exp_name", "", "", "", "was part of the default folder. Add the name to the folder of --run"),
    ("eg", "--log_level", "INFO", "tvs", "--log-level", ""),
    ("eg", "--model_path", "best_model.pth", "vs", "RUN", _RUN),
    ("eg", "--test_smiles", "", "s", "MOLECULES", "use - to read lines from standard input", "list"),
    ("eg", "--test_file", "", "s", "MOLECULES", ".csv, .tsv, .smi, .txt, .sdf, .json"),
    ("eg", "--debug", "", "", "", "had no effect. Use --log-level debug for more messages", "flag"),
    ("eg", "--debug_dataset_size", "", "t", "--debug-dataset-size", ""),
    ("eg", "--num_workers", "8", "", "", _WORKERS),
    ("e", "--graph_cache_workers", "16", "", "", "--threads sets the number of threads. The store keeps the conformers"),
    ("eg", "--dataset_type", "guessed", "t", "--dataset-type", ""),
    ("g", "--test_data_file", "", "v", "--data", ""),
    ("g", "--test_drugood_subset", "", "v", "--data", _NAMED_FILE),

    ("p", "--model_path", "", "s", "RUN", _RUN),
    ("p", "--hidden_dim", "256", "", "", _HEAD),
    ("p", "--dpo_beta", "0.1", "", "", "has no effect on scores"),
    ("p", "--input_file", "", "s", "MOLECULES", ""),
    ("p", "--output_file", "", "s", "--out", "the scores come after the columns of the input"),
    ("p", "--smiles_column", "smiles", "s", "--smiles-column", ""),
    ("p", "--smiles", "", "s", "MOLECULES", "use - to read lines from standard input", "list"),
    ("p", "--threshold", "", "s", "--threshold", ""),
    ("p", "--batch_size", "64", "", "", "batches are packed by atoms"),
    ("p", "--device", "cuda if available", "s", "--device", ""),
    ("p", "--seed", "42", "", "", "scoring draws no random numbers"),

    ("b", "--dataset", "", "b", "BENCHMARK", _FILE_OR_NAME),
    ("b", "--foundation_model", "unimol", "b", "--encoder", _UNIMOL),
    ("b", "--data_path", "./data/raw", "b", "--data-path", _DATA_PATH),
    ("b", "--data_file", "", "b", "BENCHMARK", ""),
    ("b", "--cache_root", "./cache", "", "--store", _STORE),
    ("b", "--debug_dataset_size", "", "b", "--debug-dataset-size", ""),
    ("b", "--data_seed", "42", "b", "--data-seed", ""),
    ("b", "--good_domain", "", "", "split --domain", _SPLIT),
    ("b", "--good_shift", "", "", "split --shift",
     "the benchmark is a file that molgauge split makes once. no_shift is now none"),
    ("b", "--drugood_subset", "", "b", "BENCHMARK", _NAMED_FILE),
    ("b", "--precompute_features", "", "", "", "features are always computed first", "flag"),
    ("b", "--force_recompute_cache", "", "", "", _STALE, "flag"),
    ("b", "--encoding_batch_size", "128", "", "", _PACKED),
    ("b", "--hidden_channels", "64", "b", "--hidden-channels", ""),
    ("b", "--num_layers", "3", "b", "--num-layers", ""),
    ("b", "--dropout", "0.5", "b", "--dropout", ""),
    ("b", "--lr", "0.01", "b", "--lr", ""),
    ("b", "--weight_decay", "5e-4", "b", "--weight-decay", ""),
    ("b", "--epochs", "200", "b", "--epochs", ""),
    ("b", "--patience", "20", "b", "--patience", ""),
    ("b", "--batch_size", "32", "b", "--batch-size", ""),
    ("b", "--eval_batch_size", "64", "b", "--eval-batch-size", ""),
    ("b", "--method", "all", "b", "--method", ""),
    ("b", "--T", "10", "b", "--odin-temperature", _OTHER_METHOD),
    ("b", "--noise", "0.0014", "b", "--odin-noise", _OTHER_METHOD),
    ("b", "--knn_k", "50", "b", "--knn-k", _OTHER_METHOD),
    ("b", "--lof_neighbors", "20", "b", "--lof-neighbors", _OTHER_METHOD),
    ("b", "--mc_dropout_samples", "20", "b", "--mc-dropout-samples", _OTHER_METHOD),
    ("b", "--mc_dropout_metric", "", "b", "--mc-dropout-metric", _OTHER_METHOD),
    ("b", "--dam_lr", "0.1", "b", "--dam-lr", _OTHER_METHOD),
    ("b", "--dam_margin", "1", "b", "--dam-margin", _OTHER_METHOD),
    ("b", "--output_dir", "./baseline_results", "b", "--run", "is required"),
    ("b", "--device", "cuda", "b", "--device", "device of the encoder. Classifier and methods run on the CPU"),
    ("b", "--num_workers", "4", "", "", _WORKERS),
    ("b", "--seed", "42", "b", "--seed", "other initial weights and dropout"),
    ("b", "--verbose", "", "", "", "use --log-level debug", "flag"),

    ("x", "--datasets", "", "", "[[benchmark]] file, molecules", _SPECIFICATION, "list"),
    ("x", "--domains", "", "", "[[benchmark]] domain", _SPECIFICATION, "list"),
    ("x", "--shifts", "", "", "[[benchmark]] shift", _SPECIFICATION, "list"),
    ("x", "--seeds", "", "", "[matrix] seeds", _SPECIFICATION, "list"),
    ("x", "--foundation_models", "", "", "[matrix] encoders", _SPECIFICATION, "list"),
    ("x", "--data_seed", "42", "", "[matrix] data-seeds", _SPECIFICATION),
    ("x", "--epochs", "500", "", "[training] epochs", _SPECIFICATION),
    ("x", "--batch_size", "", "", "[training] batch-size", _SPECIFICATION),
    ("x", "--lr", "1e-4", "", "[training] lr", _SPECIFICATION),
    ("x", "--methods", "", "", "[[method]] kind", _SPECIFICATION, "list"),
    ("x", "--output_dir", "", "x", "--out", ""),
    ("x", "--data_path", "", "x", "--data-path", "the folder of the files that the specification names"),
    ("x", "--good_domain", "", "", "[[benchmark]] domain", _SPECIFICATION),
    ("x", "--good_shift", "", "", "[[benchmark]] shift", _SPECIFICATION),
    ("x", "--quick", "", "", "[matrix] seeds, [classifier] epochs", "one seed and 10 epochs", "flag"),
    ("x", "--only_loss_types", "", "", "[[method]] loss", _SPECIFICATION, "list"),
    ("x", "--skip_training", "", "", "", "finished runs are never computed again", "flag"),
)

#: All options. They are in the order of the help of the programs.
OLD_OPTIONS: List[OldOption] = [OldOption(*row) for row in _ROWS]

_BY_PROGRAM: Dict[str, Dict[str, OldOption]] = {
    letter: {option.name: option for option in OLD_OPTIONS if letter in option.programs} for letter in PROGRAMS
}


def options_of(program: str) -> Dict[str, OldOption]:
    """Returns the options of a program (a letter of PROGRAMS), by their names."""
    return _BY_PROGRAM[program]


def find_old_option(program: str, word: str) -> Optional[OldOption]:
    """Returns the option with that name, or the only option whose name begins with it, as in argparse."""
    options = options_of(program)
    if word in options or not word.startswith("--") or len(word) < 3:
        return options.get(word)
    found = [option for name, option in options.items() if name.startswith(word)]
    return found[0] if len(found) == 1 else None


def as_markdown() -> str:
    """Returns the tables of docs/reference/migrated-options.md."""
    text = ""
    for letter, program in PROGRAMS.items():
        text += f"### {program}\n\n| option | default | now | remark |\n|---|---|---|---|\n"
        for option in options_of(letter).values():
            if letter == "g" and option.programs != "g":
                continue
            now = f"`{option.counterpart}`" if option.counterpart else "-"
            text += f"| `{option.name}` | {option.preset} | {now} | {option.explanation} |\n"
        if letter == "g":
            text += "\nThe options of main.py also belong to this program, except for fine-tuning and graph caching.\n"
        text += "\n"
    return text
