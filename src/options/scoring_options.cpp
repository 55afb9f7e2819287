// `headroom evaluate`, `headroom score`, `headroom report` and `headroom experiment`.

#include <filesystem>
#include <string>

#include "options/rows.h"
#include "options/tables.h"

namespace headroom::options {
namespace {

/// The run, and the facts that its files may lack. `R` has the fields of a ModelChoice.
template <typename R>
constexpr std::array<Option, 6> model_rows() {
  return {{{.name = "RUN",
            .field = field<R, &R::run>,
            .help = "Run folder; or a run of the Python project: its folder or .pth file",
            .is_required = true,
            .files = {.does = FileUse::Does::reads, .folder = FolderKind::run, .with = {"config.json"}}},
           {.name = "encoder",
            .field = field<R, &R::encoder>,
            .help = "For a Python run whose files do not say it: its name [the run's]"},
           {.name = "features",
            .field = field<R, &R::features>,
            .help = "For a Python run: native (encoded here) or imported:NAME (store import) [the run's]"},
           store_row<R>(),
           weights_row<R>(),
           encoders_deadline_row<R, &R::conformer_deadline>()}};
}

using E = EvaluateRequest;

constexpr auto kEvaluate = joined(
    model_rows<E>(),
    std::array{
        Option{.name = "data",
               .field = field<E, &E::data>,
               .help = "Test on all of another benchmark's iid_test and ood_test instead",
               .is_common = true,
               .files = {.does = FileUse::Does::reads}},
        data_path_row<E>(),
        Option{.name = "allow-overlap",
               .field = field<E, &E::allow_overlap>,
               .help =
                   "Accept molecules that stand where they must not, in any spelling, such as in training "
                   "and test; the results count them"},
        Option{.name = "out",
               .field = field<E, &E::out>,
               .help = "Folder for the results [the run folder; for a Python run nothing is written]",
               .is_common = true,
               .files = {.does = FileUse::Does::writes, .folder = FolderKind::evaluation}},
        spreadsheet_row<E>(), precision_row<E>(), random_weights_row<E>()},
    compute_rows<E>());

using S = ScoreRequest;

constexpr auto kScore = joined(
    model_rows<S>(),
    std::array{
        molecules_row<S>(), smiles_column_row<S>(), strict_row<S>(),
        Option{.name = "out",
               .field = field<S, &S::out>,
               .help = "Write a .csv instead of printing",
               .is_common = true,
               .files = {.does = FileUse::Does::writes}},
        Option{.name = "page",
               .field = field<S, &S::page>,
               .help = "Write this .html file, too: a page of the molecules, the farthest first",
               .is_common = true,
               .files = {.does = FileUse::Does::writes}},
        Option{.name = "page-rows",
               .field = field<S, &S::page_rows>,
               .help = "Molecules that the page lists, the farthest first",
               .range = kPageRows,
               .unit = "rows",
               .needs = {"page"}},
        Option{.name = "method",
               .field = field<S, &S::method>,
               .help = "For a folder of headroom baseline that holds several: which one [the only one]",
               .is_common = true},
        Option{.name = "id-recall",
               .field = field<S, &S::id_recall>,
               .help = "The threshold of ood_prediction lets this share of the run's held-out "
                       "in-distribution molecules pass",
               .is_common = true,
               .range = inside(0, 1)},
        Option{.name = "threshold",
               .field = field<S, &S::threshold>,
               .help = "Molecules that score higher: ood_prediction 1 [by --id-recall]",
               .is_common = true,
               .range = real(-1e30, 1e30),
               .excludes = {"id-recall"}},
        Option{.name = "prediction-column",
               .field = field<S, &S::prediction_column>,
               .help =
                   "For a saved domain with a calibration of predictions: column with predictions of your "
                   "model, which adds intervals or sets"},
        Option{.name = "uncertainty-column",
               .field = field<S, &S::uncertainty_column>,
               .help = "Column with uncertainties of the predictions [as in the calibration]",
               .needs = {"prediction-column"}},
        Option{.name = "lower-column",
               .field = field<S, &S::lower_column>,
               .help = "Column with a lower quantile that your model predicts [as in the calibration]",
               .needs = {"prediction-column", "upper-column"}},
        Option{.name = "upper-column",
               .field = field<S, &S::upper_column>,
               .help = "Column with an upper quantile that your model predicts [as in the calibration]",
               .needs = {"prediction-column", "lower-column"}},
        spreadsheet_row<S>(), precision_row<S>(), random_weights_row<S>()},
    compute_rows<S>());

using P = ReportRequest;

/// The page without --out.
std::string report_page(const void* request) {
  return (std::filesystem::path(static_cast<const P*>(request)->folder) / "report.html").string();
}

constexpr std::array kReport = {
    Option{
        .name = "DIR",
        .field = field<P, &P::folder>,
        .help =
            "Folder of 'headroom experiment' (finished or not) or 'headroom baseline', or a run folder that "
            "was evaluated",
        .is_required = true,
        .files = {.does = FileUse::Does::reads, .folder = FolderKind::run}},
    Option{.name = "out",
           .field = field<P, &P::out>,
           .help = "HTML file. The tables go next to it as .md, .tex and .csv [DIR/report.html]",
           .is_common = true,
           .files = {.does = FileUse::Does::writes,
                     .with = {".html", ".md", ".tex", ".csv"},
                     .otherwise = report_page}},
    spreadsheet_row<P>()};

using X = ExperimentRequest;

constexpr auto kExperiment = joined(
    std::array{Option{.name = "SPEC",
                      .field = field<X, &X::spec>,
                      .help = "Specification (TOML; docs/reference/formats.md, and examples in specs/)",
                      .is_required = true,
                      .files = {.does = FileUse::Does::reads, .may_lie_in_output = true}},
               Option{.name = "out",
                      .field = field<X, &X::out>,
                      .help = "Folder of the matrix; finished runs in it are kept",
                      .is_common = true,
                      .is_required = true,
                      .files = {.does = FileUse::Does::writes, .folder = FolderKind::matrix}},
               Option{.name = "data-path",
                      .field = field<X, &X::data_path>,
                      .help = "Folder of the files that the specification names [its own folder]",
                      .is_common = true,
                      .files = {.does = FileUse::Does::looks_up}},
               Option{.name = "jobs",
                      .field = field<X, &X::jobs>,
                      .help = "Runs at once; 0: one for each thread",
                      .is_common = true,
                      .range = kThreads},
               Option{.name = "plan-only",
                      .field = field<X, &X::plan_only>,
                      .help = "Check the specification and count the runs",
                      .is_common = true},
               store_row<X>(), weights_row<X>(), spreadsheet_row<X>(), precision_row<X>(),
               random_weights_row<X>()},
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

}  // namespace headroom::options
