// Options of `molgauge split`, and of the benchmarks that a specification creates.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
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
    Option{.name = "label-column",
           .field = field<R, &R::label_columns>,
           .group = Group::input,
           .help = "Column with classes (0/1) or values. Repeat it for several tasks. Empty fields are "
                   "unknown labels [none, all labels are 0]",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "domain",
           .field = field<R, &R::domain>,
           .group = Group::data,
           .help = "Domain of a molecule: scaffold, size or assay",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "shift",
           .field = field<R, &R::shift>,
           .group = Group::data,
           .help = "covariate (different domains in each part), concept (a different relation between labels "
                   "and domains) or none (random)",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "algorithm",
           .field = field<R, &R::algorithm>,
           .group = Group::data,
           .help = "Split algorithm: good or drugood [drugood with --domain assay, otherwise good]",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "style",
           .field = field<R, &R::style>,
           .group = Group::data,
           .help = "good: rules for classes (GOOD-HIV, GOOD-PCBA) or values (GOOD-ZINC) [from the labels]",
           .specification = kRecipe},
    Option{.name = "drop-acyclic",
           .field = field<R, &R::drop_acyclic>,
           .group = Group::data,
           .help = "scaffold: leave out molecules without rings, because they have no scaffold",
           .is_common = true,
           .specification = kRecipe},
    Option{.name = "keep-spellings",
           .field = field<R, &R::keep_spellings>,
           .group = Group::data,
           .help = "Do not merge different SMILES of one molecule, as in the Python project. train rejects a "
                   "benchmark with one molecule in two parts",
           .specification = kRecipe},
    Option{.name = "assay-column",
           .field = field<R, &R::table, &M::assay_column>,
           .group = Group::input,
           .help = "Column with assay numbers [none, all are 0]",
           .specification = kRecipe},
    Option{.name = "relation-column",
           .field = field<R, &R::table, &M::relation_column>,
           .group = Group::input,
           .help = "drugood: column with relations (= ~ < <= > >=), which shift the values [none, all are =]",
           .specification = kRecipe},
    Option{.name = "subset",
           .field = field<R, &R::table, &M::subset>,
           .group = Group::data,
           .help = "drugood: assays to keep, as in DrugOOD: core (50 to 3000 molecules), refined (32 to "
                   "5000) or general (10 to 5000) [all rows]",
           .specification = kRecipe},
    Option{.name = "type-column",
           .field = field<R, &R::table, &M::type_column>,
           .group = Group::input,
           .help = "subset: column with measurement types"},
    Option{.name = "measurement-type",
           .field = field<R, &R::table, &M::measurement_type>,
           .group = Group::data,
           .help = "subset: measurement type to keep, for example EC50"},
    Option{.name = "units-column",
           .field = field<R, &R::table, &M::units_column>,
           .group = Group::input,
           .help = "subset: column with units. Rows in nM and uM are kept"},
    Option{
        .name = "confidence-column",
        .field = field<R, &R::table, &M::confidence_column>,
        .group = Group::input,
        .help =
            "subset: column with confidence scores of ChEMBL. core keeps 9 and higher, refined 3 and higher"},
    Option{.name = "seed",
           .field = field<R, &R::seed>,
           .group = Group::data,
           .help = "Seed for shuffling within parts",
           .is_common = true,
           .range = kSeed,
           .specification = {Section::benchmark, "split-seed"}},
    Option{.name = "out",
           .field = field<R, &R::out>,
           .group = Group::output,
           .help = "Output benchmark (DrugOOD JSON)",
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

}  // namespace molgauge::options
