// Options of `molgauge score`.

#include "base/options/run_rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using S = ScoreRequest;

constexpr auto kScore =
    joined(model_rows<S>(),
           std::array{molecules_row<S>(), smiles_column_row<S>(),
                      Option{.name = "standardize",
                             .field = field<S, &S::standardize>,
                             .group = Group::input,
                             .help = "Form of the molecules that a trained run scores: none (as drawn, like "
                                     "the molecules of its training), parent (neutral, without counter-ions) "
                                     "or tautomer (canonical tautomer of the parent)",
                             .is_common = true},
                      strict_row<S>(),
                      Option{.name = "out",
                             .field = field<S, &S::out>,
                             .group = Group::output,
                             .help = "Write scores to this .csv instead of printing them",
                             .is_common = true,
                             .files = {.does = FileUse::Does::writes}},
                      Option{.name = "page",
                             .field = field<S, &S::page>,
                             .group = Group::output,
                             .help = "Also write this .html page of molecules, farthest first",
                             .is_common = true,
                             .files = {.does = FileUse::Does::writes}},
                      Option{.name = "page-rows",
                             .field = field<S, &S::page_rows>,
                             .group = Group::output,
                             .help = "Number of molecules on the page, farthest first",
                             .range = kPageRows,
                             .unit = "rows",
                             .needs = {"page"}},
                      Option{.name = "method",
                             .field = field<S, &S::method>,
                             .group = Group::detector,
                             .help = "For a baseline folder with several methods: the method [the only one]",
                             .is_common = true},
                      Option{.name = "id-recall",
                             .field = field<S, &S::id_recall>,
                             .group = Group::detector,
                             .help = "Set the threshold of ood_prediction to accept this share of the "
                                     "held-out ID molecules of the run",
                             .is_common = true,
                             .range = inside(0, 1)},
                      Option{.name = "threshold",
                             .field = field<S, &S::threshold>,
                             .group = Group::detector,
                             .help = "Molecules with a higher score have ood_prediction 1 [from --id-recall]",
                             .is_common = true,
                             .range = real(-1e30, 1e30),
                             .excludes = {"id-recall"}},
                      Option{.name = "prediction-column",
                             .field = field<S, &S::prediction_column>,
                             .group = Group::predictions,
                             .help = "For a saved domain with calibrated predictions: predictions of your "
                                     "model. Adds prediction intervals or sets"},
                      Option{.name = "uncertainty-column",
                             .field = field<S, &S::uncertainty_column>,
                             .group = Group::predictions,
                             .help = "Column with uncertainties of the predictions [as in the calibration]",
                             .needs = {"prediction-column"}},
                      Option{.name = "lower-column",
                             .field = field<S, &S::lower_column>,
                             .group = Group::predictions,
                             .help = "Column with a predicted lower quantile [as in the calibration]",
                             .needs = {"prediction-column", "upper-column"}},
                      Option{.name = "upper-column",
                             .field = field<S, &S::upper_column>,
                             .group = Group::predictions,
                             .help = "Column with a predicted upper quantile [as in the calibration]",
                             .needs = {"prediction-column", "lower-column"}},
                      spreadsheet_row<S>(), precision_row<S>(), random_weights_row<S>()},
           compute_rows<S>());

}  // namespace

template <>
std::span<const Option> table<ScoreRequest>() {
  return kScore;
}

}  // namespace molgauge::options
