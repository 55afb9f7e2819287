"""Replaces data sets of GOOD by benchmarks, which `molgauge split` makes once from tables of molecules."""

from typing import NamedTuple

from .words import shell_word

_GOOD = "good_"

#: The options of `molgauge split` that name the label columns of a table. Without them, all molecules would be in one
#: class. ZINC also needs `--style values`, because GOOD sorts the sizes of ZINC in another order than the sizes of HIV
#: and PCBA.
_LABELS = {
    "hiv": "--label-column HIV_active",
    "zinc": "--label-column logp --style values",
    "pcba": "$(head -n 1 {table} | tr -d '\\r' | tr , '\\n' | sed -n 's/^PCBA/--label-column &/p')",
}
_COLUMNS = {
    "hiv": "smiles and HIV_active",
    "zinc": "smiles and logp, the value",
    "pcba": "smiles and PCBA-..., one for each task",
}


class GoodBenchmark(NamedTuple):
    file: str  #: "data/good_hiv_size_covariate.json"
    command: str  #: makes the file unless it exists
    remark: str


def is_good_data_set(name: str) -> bool:
    """Whether the Python project takes a data set of this name from GOOD, for example good_hiv or GOOD_ZINC."""
    return name.lower().startswith(_GOOD)


def in_folder(folder: str, name: str) -> str:
    return name if not folder else folder + name if folder.endswith("/") else f"{folder}/{name}"


def make_good_benchmark(data_set: str, domain: str, shift: str, folder: str) -> GoodBenchmark:
    """Returns the command that makes a benchmark of GOOD. `shift`: covariate, concept or no_shift.
    `folder`: the folder of the table and of the result."""
    name = data_set.lower()
    molecules = name[len(_GOOD) :] if name.startswith(_GOOD) else name
    new_shift = "none" if shift == "no_shift" else shift
    table = in_folder(folder, f"{molecules}.csv")
    file = in_folder(folder, f"good_{molecules}_{domain}_{new_shift}.json")
    labels = _LABELS.get(molecules, "").replace("{table}", shell_word(table))
    words = ["molgauge split", shell_word(table), labels, "--algorithm good --domain", shell_word(domain)]
    words += ["--shift", shell_word(new_shift), "--out", shell_word(file)]
    columns = _COLUMNS.get(molecules, "smiles, and a label to be named with --label-column")
    return GoodBenchmark(
        file,
        f"[ -e {shell_word(file)} ] || {' '.join(word for word in words if word)}",
        f"the first command makes the same split from the table {table} (columns {columns}). Instead of the table, "
        "you can name the folder of GOOD (GOODHIV/scaffold/processed)",
    )
