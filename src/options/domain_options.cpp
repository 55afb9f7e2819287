// Options of `headroom domain`.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = DomainRequest;

constexpr auto kTable = joined(
    std::array{
        Option{.name = "TRAIN",
               .field = field<R, &R::training>,
               .help = "Training molecules: .csv, .tsv, .smi, .sdf or DrugOOD .json, optionally gzipped, or "
                       "a folder of --save",
               .is_required = true,
               .is_in_plan = true,
               .files = {.does = FileUse::Does::reads, .folder = FolderKind::saved_domain}},
        Option{.name = "CANDIDATES",
               .field = field<R, &R::candidates>,
               .help = "Candidates: a file as for TRAIN, or - for SMILES on stdin",
               .is_required = true,
               .is_in_plan = true,
               .files = {.does = FileUse::Does::reads}},
        Option{.name = "smiles-column",
               .field = field<R, &R::smiles_column>,
               .help = "SMILES column of CANDIDATES",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "train-smiles-column",
               .field = field<R, &R::training_smiles_column>,
               .help = "SMILES column of TRAIN",
               .is_in_plan = true},
        Option{.name = "name-column",
               .field = field<R, &R::name_column>,
               .help = "Column of TRAIN with names of molecules [name or id, if present]"},
        Option{.name = "label-column",
               .field = field<R, &R::label_column>,
               .help = "Measured values or two classes in TRAIN (with --calibration: in that file). Reports "
                       "error against distance",
               .is_common = true},
        Option{.name = "standardize",
               .field = field<R, &R::standardize>,
               .help = "Standardisation before comparison: none (as drawn), parent (neutral, without "
                       "counter-ions) or tautomer (canonical tautomer of the parent) [parent]",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "calibration",
               .field = field<R, &R::calibration>,
               .help = "Molecules with measured values and predictions that your model was not trained on "
                       "[TRAIN, or the calibration of the saved domain]",
               .is_common = true,
               .needs = {"label-column", "prediction-column"},
               .files = {.does = FileUse::Does::reads}},
        Option{.name = "prediction-column",
               .field = field<R, &R::prediction_column>,
               .help = "Predictions of your model (for classes: probability of class 1). Adds calibrated "
                       "prediction intervals or sets to the candidates",
               .is_common = true},
        Option{.name = "uncertainty-column",
               .field = field<R, &R::uncertainty_column>,
               .help = "Column with uncertainties of the predictions",
               .needs = {"prediction-column"}},
        Option{.name = "lower-column",
               .field = field<R, &R::lower_column>,
               .help = "Column with a predicted lower quantile",
               .needs = {"prediction-column", "upper-column"}},
        Option{.name = "upper-column",
               .field = field<R, &R::upper_column>,
               .help = "Column with a predicted upper quantile",
               .needs = {"prediction-column", "lower-column"}},
        Option{.name = "coverage",
               .field = field<R, &R::coverage>,
               .help = "Target share of molecules with the measured value in the interval or set [0.9]",
               .range = real(0.5, 0.999),
               .needs = {"prediction-column"}},
        Option{.name = "interval-method",
               .field = field<R, &R::interval_method>,
               .help = "Width of the intervals: auto, constant, distance, uncertainty, both, mondrian or "
                       "quantiles [auto]",
               .needs = {"prediction-column"}},
        Option{.name = "out-of-fold",
               .field = field<R, &R::out_of_fold>,
               .help = "Skip the check for in-sample predictions. Use it if predictions of training "
                       "molecules are from cross-validation",
               .needs = {"prediction-column", "label-column"}},
        Option{
            .name = "method",
            .field = field<R, &R::method>,
            .help = "Distance: combined, knn, tanimoto, rarity, coverage, mahalanobis or density [combined]",
            .is_common = true,
            .is_in_plan = true},
        Option{.name = "level",
               .field = field<R, &R::level>,
               .help = "Largest p-value of the verdict outside. It is the expected rate of false alarms "
                       "[0.01, or the level of the saved domain]",
               .is_common = true,
               .range = above(0, 0.5)},
        Option{.name = "borderline-level",
               .field = field<R, &R::borderline_level>,
               .help = "Largest p-value of the verdict borderline [0.05]",
               .range = above(0, 0.5)},
        Option{.name = "seed",
               .field = field<R, &R::seed>,
               .help = "Seed for choosing held-out training molecules [0]",
               .range = kSeed},
        Option{.name = "encoder",
               .field = field<R, &R::encoder>,
               .help = "Encoder. The list is below [the first, or the encoder of the saved domain]",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "model",
               .field = field<R, &R::model>,
               .help = "Use the fine-tuned encoder of this run folder of headroom train --finetune-encoder, "
                       "with the conformer options of the run",
               .is_common = true,
               .is_in_plan = true,
               .excludes = {"encoder", "features", "precision", "conformer-fallback", "max-atoms"},
               .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
        Option{.name = "features",
               .field = field<R, &R::features>,
               .help = "native (encode the molecules) or imported:NAME (rows from store import) [native]"},
        Option{.name = "out",
               .field = field<R, &R::out>,
               .help = "CSV file for candidates with verdicts. Also writes a .json and an .html file with "
                       "the same name",
               .is_common = true,
               .files = {.does = FileUse::Does::writes, .with = {".json", ".html", "+.parts"}}},
        Option{.name = "save",
               .field = field<R, &R::save>,
               .help = "Save the calibrated domain in this folder. You can pass it as TRAIN later",
               .is_common = true,
               .files = {.does = FileUse::Does::writes, .folder = FolderKind::saved_domain}},
        Option{.name = "page-rows",
               .field = field<R, &R::page_rows>,
               .help = "Number of candidates on the page, farthest first",
               .is_in_plan = true,
               .range = kPageRows,
               .unit = "rows"},
        strict_row<R>(),
        spreadsheet_row<R>(),
        store_row<R>(),
        weights_row<R>(),
        precision_row<R>(),
        random_weights_row<R>()},
    placement_rows<R>(), compute_rows<R>());

}  // namespace

template <>
std::span<const Option> table<DomainRequest>() {
  return kTable;
}

}  // namespace headroom::options
