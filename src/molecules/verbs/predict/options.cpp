// Options of `molgauge predict`.

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using P = PredictRequest;

/// The options of compute_rows() that have an effect on a CPU.
constexpr auto cpu_rows() {
  auto rows = compute_rows<P>({"threads"});
  rows[0].help = "Device: auto or cpu. Predictions run on the CPU";
  return std::array{rows[0], rows[1], rows[2], rows[3], rows[6], rows[7]};
}

constexpr auto kPredict = joined(
    std::array{
        Option{.name = "MODEL",
               .field = field<P, &P::model>,
               .help = "Chemprop model: a .pt or .ckpt file, a folder of .pt files (models of the same tasks "
                       "form an ensemble), or the name of installed models such as admet-ai",
               .is_required = true,
               .is_in_plan = true,
               .files = {.does = FileUse::Does::reads}},
        molecules_row<P>(), smiles_column_row<P>(),
        Option{.name = "descriptor-columns",
               .field = field<P, &P::descriptor_columns>,
               .group = Group::input,
               .help = "Columns of MOLECULES with the descriptors that the model takes, in the order of its "
                       "training, separated by commas, for example a,b,c. Or rdkit_2d: compute RDKit's "
                       "descriptors as chemprop does",
               .is_common = true},
        Option{.name = "standardize",
               .field = field<P, &P::standardize>,
               .group = Group::input,
               .help = "Form of the molecules to predict: none (as drawn, like chemprop), parent (neutral, "
                       "without counter-ions) or tautomer (canonical tautomer of the parent)",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "check-spellings",
               .field = field<P, &P::check_spellings>,
               .group = Group::output,
               .help = "Also predict four other SMILES of each chiral molecule. Adds columns "
                       "spelling_spread_TASK and a warning",
               .is_in_plan = true},
        describe_row<P>(),
        Option{.name = "out",
               .field = field<P, &P::out>,
               .group = Group::output,
               .help = "Output .csv with the input columns and the predictions. NAME.failed.csv lists failed "
                       "molecules",
               .is_common = true,
               .is_required = true,
               .files = {.does = FileUse::Does::writes, .with = {".failed.csv"}}},
        workbook_row<P>(), sdf_row<P>(), strict_row<P>(), spreadsheet_row<P>(), store_row<P>(),
        weights_row<P>()},
    cpu_rows());

}  // namespace

template <>
std::span<const Option> table<PredictRequest>() {
  return kPredict;
}

}  // namespace molgauge::options
