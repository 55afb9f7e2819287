// `headroom domain`.

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

using R = DomainRequest;

constexpr auto kTable = joined(
    std::array{
        Option{
            .name = "TRAIN",
            .field = field<R, &R::training>,
            .help =
                "Training molecules: .csv, .tsv, .smi, .sdf or DrugOOD .json, each also gzipped; or a folder "
                "that --save made",
            .is_required = true,
            .is_in_plan = true,
            .files = {.does = FileUse::Does::reads, .folder = FolderKind::saved_domain}},
        Option{.name = "CANDIDATES",
               .field = field<R, &R::candidates>,
               .help = "Candidates, likewise; '-': SMILES lines on stdin",
               .is_required = true,
               .is_in_plan = true,
               .files = {.does = FileUse::Does::reads}},
        Option{.name = "smiles-column",
               .field = field<R, &R::smiles_column>,
               .help = "Column of CANDIDATES that holds the SMILES",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "train-smiles-column",
               .field = field<R, &R::training_smiles_column>,
               .help = "Column of TRAIN that holds the SMILES",
               .is_in_plan = true},
        Option{.name = "name-column",
               .field = field<R, &R::name_column>,
               .help = "Column of TRAIN with the molecules' names [name or id, where there is one]"},
        Option{.name = "label-column",
               .field = field<R, &R::label_column>,
               .help = "Column of TRAIN with measured values or two classes: shows how the error of a simple "
                       "predictor grows with the distance. With --calibration, the column of that file",
               .is_common = true},
        Option{.name = "standardize",
               .field = field<R, &R::standardize>,
               .help = "Form in which all molecules are compared: none (as drawn), parent (neutral, without "
                       "counter-ions) or tautomer (canonical tautomer of the parent) [parent]",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "calibration",
               .field = field<R, &R::calibration>,
               .help = "Molecules with measured values and predictions of your model, which did not see them "
                       "[TRAIN, or the calibration in the saved folder]",
               .is_common = true,
               .needs = {"label-column", "prediction-column"},
               .files = {.does = FileUse::Does::reads}},
        Option{.name = "prediction-column",
               .field = field<R, &R::prediction_column>,
               .help = "Column with predictions of your model, for classes the probability of class 1: "
                       "calibrates them and adds intervals or sets for the candidates",
               .is_common = true},
        Option{.name = "uncertainty-column",
               .field = field<R, &R::uncertainty_column>,
               .help = "Column with uncertainties of the predictions",
               .needs = {"prediction-column"}},
        Option{.name = "lower-column",
               .field = field<R, &R::lower_column>,
               .help = "Column with a lower quantile that your model predicts",
               .needs = {"prediction-column", "upper-column"}},
        Option{.name = "upper-column",
               .field = field<R, &R::upper_column>,
               .help = "Column with an upper quantile that your model predicts",
               .needs = {"prediction-column", "lower-column"}},
        Option{.name = "coverage",
               .field = field<R, &R::coverage>,
               .help = "Share of molecules whose measured value lies in its interval or set [0.9]",
               .range = real(0.5, 0.999),
               .needs = {"prediction-column"}},
        Option{.name = "interval-method",
               .field = field<R, &R::interval_method>,
               .help = "Width of the intervals: auto, constant, distance, uncertainty, both, mondrian or "
                       "quantiles [auto]",
               .needs = {"prediction-column"}},
        Option{.name = "out-of-fold",
               .field = field<R, &R::out_of_fold>,
               .help = "Skip the check for in-sample predictions: the predictions of training molecules are "
                       "from cross-validation",
               .needs = {"prediction-column", "label-column"}},
        Option{
            .name = "method",
            .field = field<R, &R::method>,
            .help = "Distance: combined, knn, tanimoto, rarity, coverage, mahalanobis or density [combined]",
            .is_common = true,
            .is_in_plan = true},
        Option{.name = "level",
               .field = field<R, &R::level>,
               .help =
                   "Largest p-value of a candidate that is outside: the share of molecules like the training "
                   "molecules that are called outside by mistake [0.01, or the level of the saved folder]",
               .is_common = true,
               .range = above(0, 0.5)},
        Option{.name = "borderline-level",
               .field = field<R, &R::borderline_level>,
               .help = "Largest p-value of a candidate that is borderline [0.05]",
               .range = above(0, 0.5)},
        Option{.name = "seed",
               .field = field<R, &R::seed>,
               .help = "Seed of the choice of training molecules that are held out [0]",
               .range = kSeed},
        Option{.name = "encoder",
               .field = field<R, &R::encoder>,
               .help = "Encoder; the end of this text lists them [the first, or that of the saved folder]",
               .is_common = true,
               .is_in_plan = true},
        Option{.name = "model",
               .field = field<R, &R::model>,
               .help = "Compare by the encoder that this run folder of headroom train --finetune-encoder has "
                       "trained; it and the options of places are the run's",
               .is_common = true,
               .is_in_plan = true,
               .excludes = {"encoder", "features", "precision", "conformer-fallback", "max-atoms"},
               .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
        Option{.name = "features",
               .field = field<R, &R::features>,
               .help = "native (encoded here), or imported:NAME (rows taken in with store import) [native]"},
        Option{
            .name = "out",
            .field = field<R, &R::out>,
            .help =
                "The candidates with their verdicts; .json and .html of the same name are written beside it",
            .is_common = true,
            .files = {.does = FileUse::Does::writes, .with = {".json", ".html", "+.parts"}}},
        Option{.name = "save",
               .field = field<R, &R::save>,
               .help = "Keep the calibrated training set in this folder, to be given as TRAIN later",
               .is_common = true,
               .files = {.does = FileUse::Does::writes, .folder = FolderKind::saved_domain}},
        Option{.name = "page-rows",
               .field = field<R, &R::page_rows>,
               .help = "Candidates that the page lists, the farthest first",
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
