// Options of `molgauge evaluate`, `molgauge score`, `molgauge report` and `molgauge experiment`.

#include <filesystem>
#include <string>

#include "base/options/rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

/// The run folder, and options for facts that the run folder may lack. `R` has the fields of a ModelChoice.
template <typename R>
constexpr std::array<Option, 6> model_rows() {
  return {{{.name = "RUN",
            .field = field<R, &R::run>,
            .help = "Run folder, or a folder or .pth file of the Python project",
            .is_required = true,
            .files = {.does = FileUse::Does::reads, .folder = FolderKind::run, .with = {"config.json"}}},
           {.name = "encoder",
            .field = field<R, &R::encoder>,
            .group = Group::encoder,
            .help = "For a Python run without this entry: the encoder [the encoder of the run]"},
           {.name = "features",
            .field = field<R, &R::features>,
            .group = Group::encoder,
            .help = "For a Python run: native (encode the molecules) or imported:NAME (rows from store "
                    "import) [as in the run]"},
           store_row<R>(),
           weights_row<R>(),
           encoders_deadline_row<R, &R::conformer_deadline>()}};
}

using E = EvaluateRequest;

constexpr auto kEvaluate =
    joined(model_rows<E>(),
           std::array{Option{.name = "data",
                             .field = field<E, &E::data>,
                             .group = Group::input,
                             .help = "Evaluate on iid_test and ood_test of another benchmark",
                             .is_common = true,
                             .files = {.does = FileUse::Does::reads}},
                      data_path_row<E>(),
                      Option{.name = "allow-overlap",
                             .field = field<E, &E::allow_overlap>,
                             .group = Group::data,
                             .help = "Accept molecules that occur in several parts, such as training and "
                                     "test, also with different SMILES. The results count them"},
                      Option{.name = "out",
                             .field = field<E, &E::out>,
                             .group = Group::output,
                             .help = "Folder for the results [the run folder, or none for a Python run]",
                             .is_common = true,
                             .files = {.does = FileUse::Does::writes, .folder = FolderKind::evaluation}},
                      spreadsheet_row<E>(), precision_row<E>(), random_weights_row<E>()},
           compute_rows<E>());

using S = ScoreRequest;

constexpr auto kScore =
    joined(model_rows<S>(),
           std::array{molecules_row<S>(), smiles_column_row<S>(), strict_row<S>(),
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

using P = ReportRequest;

/// Returns the default path of the page.
std::string report_page(const void* request) {
  return (std::filesystem::path(static_cast<const P*>(request)->folder) / "report.html").string();
}

constexpr std::array kReport = {
    Option{.name = "DIR",
           .field = field<P, &P::folder>,
           .help = "Folder of molgauge experiment or molgauge baseline, or an evaluated run folder",
           .is_required = true,
           .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
    Option{.name = "out",
           .field = field<P, &P::out>,
           .group = Group::output,
           .help = "HTML file. The tables go next to it as .md, .tex and .csv [DIR/report.html]",
           .is_common = true,
           .files = {.does = FileUse::Does::writes,
                     .with = {".html", ".md", ".tex", ".csv"},
                     .otherwise = report_page}},
    spreadsheet_row<P>()};

using X = ExperimentRequest;

constexpr auto kExperiment = joined(
    std::array{
        Option{.name = "SPEC",
               .field = field<X, &X::spec>,
               .help = "Specification in TOML (see docs/reference/formats.md and the examples in specs/)",
               .is_required = true,
               .files = {.does = FileUse::Does::reads, .may_lie_in_output = true}},
        Option{.name = "out",
               .field = field<X, &X::out>,
               .group = Group::output,
               .help = "Folder of the matrix. Finished runs are kept",
               .is_common = true,
               .is_required = true,
               .files = {.does = FileUse::Does::writes, .folder = FolderKind::matrix}},
        Option{.name = "data-path",
               .field = field<X, &X::data_path>,
               .group = Group::input,
               .help = "Folder of the files in the specification [the folder of SPEC]",
               .is_common = true,
               .files = {.does = FileUse::Does::looks_up}},
        Option{.name = "jobs",
               .field = field<X, &X::jobs>,
               .group = Group::memory,
               .help = "Parallel runs. 0 starts one per thread",
               .is_common = true,
               .range = kThreads},
        Option{.name = "plan-only",
               .field = field<X, &X::plan_only>,
               .group = Group::input,
               .help = "Check the specification and count its runs, without running them",
               .is_common = true},
        store_row<X>(), weights_row<X>(), spreadsheet_row<X>(), precision_row<X>(), random_weights_row<X>()},
    placement_rows<X>(), compute_rows<X>({"threads", "precision", "jobs"}));

}  // namespace

template <>
std::span<const Option> table<EvaluateRequest>() {
  return kEvaluate;
}

template <>
std::span<const Option> table<ScoreRequest>() {
  return kScore;
}

template <>
std::span<const Option> table<ReportRequest>() {
  return kReport;
}

template <>
std::span<const Option> table<ExperimentRequest>() {
  return kExperiment;
}

}  // namespace molgauge::options
