// `headroom split`, and the recipes of benchmarks in a specification.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = SplitRequest;
using M = MeasurementTable;

constexpr Place kRecipe = {Section::benchmark};

constexpr Option in_recipe(Option option) {
  option.specification = kRecipe;
  return option;
}

constexpr std::array kTable = {
    molecules_row<R>(),
    in_recipe(smiles_column_row<R>()),
    Option{
        .name = "label-column",
        .field = field<R, &R::label_columns>,
        .help =
            "Column with the class (0/1) or value; several times for several tasks, whose empty fields are "
            "unknown labels [none: labels 0]",
        .is_common = true,
        .specification = kRecipe},
    Option{.name = "domain",
           .field = field<R, &R::domain>,
           .help = "What shifts between the parts: scaffold, size or assay",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "shift",
           .field = field<R, &R::shift>,
           .help =
               "covariate (parts hold different domains), concept (labels go with domains in another way) or "
               "none (at random)",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "algorithm",
           .field = field<R, &R::algorithm>,
           .help = "How domains are laid out: good or drugood [drugood for --domain assay, else good]",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "style",
           .field = field<R, &R::style>,
           .help = "good: the rules for classes (GOOD-HIV, GOOD-PCBA) or values (GOOD-ZINC) [by the labels]",
           .specification = kRecipe},
    Option{.name = "drop-acyclic",
           .field = field<R, &R::drop_acyclic>,
           .help = "scaffold: leave out molecules without rings, which have no scaffold",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "keep-spellings",
           .field = field<R, &R::keep_spellings>,
           .help =
               "Leave different spellings of one molecule apart, as the Python programs do; train refuses a "
               "benchmark with one molecule in two parts",
           .specification = kRecipe},
    Option{.name = "assay-column",
           .field = field<R, &R::table, &M::assay_column>,
           .help = "Column with the number of the assay [none: 0]",
           .specification = kRecipe},
    Option{.name = "relation-column",
           .field = field<R, &R::table, &M::relation_column>,
           .help = "drugood: column with = ~ < <= > >=, by which values are shifted [none: =]",
           .specification = kRecipe},
    Option{.name = "subset",
           .field = field<R, &R::table, &M::subset>,
           .help =
               "drugood: keep assays as DrugOOD does: core (50 to 3000 molecules), refined (32 to 5000) or "
               "general (10 to 5000) [every row]",
           .specification = kRecipe},
    Option{.name = "type-column",
           .field = field<R, &R::table, &M::type_column>,
           .help = "subset: column with the type of measurement"},
    Option{.name = "measurement-type",
           .field = field<R, &R::table, &M::measurement_type>,
           .help = "subset: the type to keep, say EC50"},
    Option{.name = "units-column",
           .field = field<R, &R::table, &M::units_column>,
           .help = "subset: column with the units; nM and uM are kept"},
    Option{.name = "confidence-column",
           .field = field<R, &R::table, &M::confidence_column>,
           .help = "subset: column with ChEMBL's confidence; core keeps 9 and more, refined 3 and more"},
    Option{.name = "seed",
           .field = field<R, &R::seed>,
           .help = "Seed of the shuffling within parts",
           .is_common = true,
           .range = kSeed,
           .specification = {Section::benchmark, "split-seed"}},
    Option{.name = "out",
           .field = field<R, &R::out>,
           .help = "Benchmark file (DrugOOD JSON) to write",
           .is_common = true,
           .is_required = true,
           .files = {.does = FileUse::Does::writes}},
    strict_row<R>(),
    threads_row<R, &R::threads>()};

}  // namespace

template <>
std::span<const Option> table<SplitRequest>() {
  return kTable;
}

}  // namespace headroom::options
