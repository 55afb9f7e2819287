#include "molecules/verbs/domain/model_predictions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/text/counted.h"
#include "base/runtime/folders.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/required_columns.h"
#include "molecules/files/named_table.h"
#include "molecules/verbs/domain/domain_inputs.h"
#include "molecules/verbs/domain/domain_phases.h"
#include "molecules/verbs/domain/requested_columns.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molecules/verbs/predictions/prediction_columns.h"

namespace molgauge::verbs {
namespace {

std::string words_of(Standardize form) {
  return form == Standardize::tautomer
             ? "the canonical tautomer of the parent of each molecule (neutral, without counter-ions)"
             : "the parent of each molecule (neutral, without counter-ions)";
}

void require_rereadable(const char* option, const std::string& file) {
  if (!io::is_rereadable(file)) {
    throw UsageError(fmt::format(
        "{} {}: is a pipe, but molecules are read more than once to predict with --model. Name a file",
        option, file));
  }
}

/// Throws if intervals would be calibrated with the training molecules of the model. Errors on training
/// molecules are too small for this.
void require_held_out(const DomainRequest& request) {
  if (!request.calibration.empty() || request.label_column.empty()) {
    return;
  }
  throw UsageError(fmt::format(
      "--label-column {}: the model has seen the measured values of {}, so its errors there are too small to "
      "calibrate intervals. Add --calibration with molecules that the model has not seen, or "
      "--calibration-split if a column marks them, or leave out --label-column",
      request.label_column, request.training));
}

/// Returns the suffix of the column name for the uncertainty of a regression head, or an empty text if there
/// is no such column.
std::string uncertainty_ending(const PredictedTask& task) {
  if (task.head == "regression-mve" || task.head == "regression-evidential") {
    return "_std";
  }
  return task.head.starts_with("regression") && task.members > 1 ? "_ensemble_std" : "";
}

}  // namespace

PredictedColumns::PredictedColumns(std::filesystem::path file, std::vector<std::string> names,
                                   std::size_t own_columns, std::size_t first_column)
    : file_(std::move(file)),
      names_(std::move(names)),
      own_columns_(own_columns),
      first_column_(first_column) {}

PredictedColumns::Reader::Reader(const PredictedColumns& columns)
    : columns_(columns), file_(columns.file_.string(), ',') {
  file_.next();  // the header
}

void PredictedColumns::Reader::append_next(std::vector<std::string>& fields) {
  auto row = file_.next();
  if (!row) {
    throw InputError("another program changed the input while it was read. Run the command again");
  }
  // Later records of an .sdf may add columns, so the fields are padded to the final number of columns.
  fields.resize(std::max(fields.size(), columns_.own_columns_));
  fields.insert(
      fields.end(),
      std::make_move_iterator(row->fields.begin() + static_cast<std::ptrdiff_t>(columns_.first_column_)),
      std::make_move_iterator(row->fields.end()));
}

Standardize predicted_form(const DomainRequest& request, const domain::SavedDomain* saved) {
  if (saved != nullptr) {
    return saved->predicts_drawing ? Standardize::none : saved->standardize.mode;
  }
  return request.as_drawn ? Standardize::none : standardize_of(request).mode;
}

std::string ModelPredictions::column_of(const std::string& task) { return "predicted_" + task; }

ModelPredictions::ModelPredictions(const DomainRequest& request, const domain::FeatureSource& source,
                                   const domain::SavedDomain* saved)
    : request_(request),
      judged_form_((saved != nullptr ? saved->standardize : standardize_of(request)).mode),
      form_(predicted_form(request, saved)) {
  if (saved == nullptr) {
    require_held_out(request);
    if (request.keep_isotopes && !request.as_drawn) {
      throw UsageError(
          "--keep-isotopes: the model predicts parents without isotope labels. Add --as-drawn, or leave "
          "--keep-isotopes out");
    }
  }
  // The columns are named as if the file had no columns, so that their names do not depend on the file. If
  // the file has a column of the same name, predict() throws an error.
  const encoders::chemprop::ModelSet& models = *source.models;
  const verbs::PredictionTable table(models, {});
  tasks_ = table.tasks();
  std::transform(table.columns().begin(), table.columns().end(), std::back_inserter(names_), column_of);
  choose_columns(saved);
  make_folder(runtime::store_folder(request.store));
  ScratchFolder::remove_stale(runtime::store_folder(request.store), "predictions");
  folder_.emplace(runtime::store_folder(request.store), "predictions");
  if (!request.calibration.empty()) {
    require_rereadable("--calibration", request.calibration);
    session::require_columns(request.calibration, {request.training_smiles_column, "--train-smiles-column"},
                             std::vector<session::RequiredColumn>{{"--label-column", request.label_column,
                                                                   session::RequiredColumn::Values::labels}});
  }
  if (!request.candidates.empty()) {
    require_rereadable("CANDIDATES", request.candidates);
  }
  verbs::LaterWork later{.predictions = {},
                         .needs = needs_after_predicting(request_, source, saved),
                         .bytes_left = kLeftByPredicting};
  const PredictRequest candidates = predicting(request.candidates, request.smiles_column, "candidates.csv");
  if (!request.calibration.empty()) {
    if (!request.candidates.empty()) {
      later.predictions.push_back(candidates);
    }
    calibration_ = predict(
        models, predicting(request.calibration, request.training_smiles_column, "calibration.csv"), later);
    later.predictions.clear();
    later.bytes_left = 0;
  }
  if (!request.candidates.empty()) {
    candidates_ = predict(models, candidates, later);
  }
}

PredictRequest ModelPredictions::predicting(const std::string& molecules, const std::string& smiles_column,
                                            const char* name) const {
  return {.model = request_.model,
          .molecules = molecules,
          .smiles_column = smiles_column,
          .out = (folder_->path() / name).string(),
          .store = request_.store,
          .weights = request_.weights,
          .descriptor_columns = request_.descriptor_columns,
          .standardize = form_,
          .strict = request_.strict,
          .compute = request_.compute};
}

std::string ModelPredictions::notice() const {
  if (form_ != judged_form_) {
    return fmt::format("The model predicts the molecules as drawn (--as-drawn), but verdicts are about {}.",
                       words_of(judged_form_));
  }
  if (form_ == Standardize::none) {
    return "The model predicts the molecules as drawn, and verdicts are about the same form.";
  }
  const std::string counts =
      candidate_rows_ == 0 ? ""
                           : fmt::format(" For {} of {}, it differs from the drawing.",
                                         standardized_candidates_, counted(candidate_rows_, "candidate"));
  return fmt::format("The model predicts {}, which verdicts are also about.{}", words_of(form_), counts);
}

PredictedColumns ModelPredictions::predict(const encoders::chemprop::ModelSet& models,
                                           const PredictRequest& request, const verbs::LaterWork& later) {
  const PredictReport report = verbs::predict_with(request, models, /*marks_parents=*/false, later);
  candidate_rows_ = report.rows;
  standardized_candidates_ = report.standardized_rows;
  phases_.push_back(report.phase);
  phases_.back().phase = "predicting";
  const auto header = io::CsvReader(request.out, ',').next();
  const std::size_t first = header->fields.size() - names_.size();
  // If the file is not a table, `predict` adds two columns, the line and the SMILES.
  const std::size_t added =
      session::table_of(request.molecules, request.smiles_column, [](const io::MoleculeRow&) {}).smiles_field
          ? 0
          : 2;
  require_free_columns(request.molecules,
                       {header->fields.begin(), header->fields.begin() + static_cast<std::ptrdiff_t>(first)},
                       names_);
  return {request.out, names_, first - added, first};
}

void ModelPredictions::choose_columns(const domain::SavedDomain* saved) {
  const bool uses_stored = request_.calibration.empty() && saved != nullptr && saved->predictions != nullptr;
  if (request_.calibration.empty() && !uses_stored) {
    if (!request_.prediction_column.empty()) {
      throw UsageError(fmt::format(
          "--prediction-column {}: intervals need a calibration. Add --calibration with molecules "
          "that the model has not seen, and --label-column with their measured values",
          request_.prediction_column));
    }
    return;  // the predictions are then shown without intervals
  }
  std::string wanted = request_.prediction_column;
  if (uses_stored) {
    const std::string& stored = saved->predictions->settings().columns.prediction;
    if (!wanted.empty() && wanted != stored && column_of(wanted) != stored) {
      throw UsageError(
          fmt::format("--prediction-column {}: {} was calibrated for {}. Leave --prediction-column out, or "
                      "add --calibration",
                      wanted, request_.training, stored));
    }
    wanted = stored;
  } else if (wanted.empty()) {
    wanted = request_.label_column;
  }
  const auto is_wanted = [&](const PredictedTask& task) {
    return task.columns.front() == wanted || column_of(task.columns.front()) == wanted;
  };
  auto task = std::find_if(tasks_.begin(), tasks_.end(), is_wanted);
  if (task == tasks_.end() && request_.prediction_column.empty() && !uses_stored && tasks_.size() == 1) {
    task = tasks_.begin();
  }
  if (task == tasks_.end()) {
    std::vector<std::string> names;
    std::transform(tasks_.begin(), tasks_.end(), std::back_inserter(names),
                   [](const PredictedTask& each) { return each.columns.front(); });
    throw UsageError(
        fmt::format("the model does not predict '{}'. Name one of its tasks with --prediction-column: {}",
                    wanted, fmt::join(names, ", ")));
  }
  if (task->columns.front() != task->name) {
    throw UsageError(fmt::format(
        "--prediction-column {}: the model predicts several classes. Intervals need a number or the "
        "probability of one class. Leave out --calibration to see the predictions without intervals",
        task->name));
  }
  request_.prediction_column = column_of(task->name);
  const std::string ending = uncertainty_ending(*task);
  const bool takes_uncertainty = !request_.interval_method ||
                                 *request_.interval_method == IntervalMethod::automatic ||
                                 *request_.interval_method == IntervalMethod::uncertainty ||
                                 *request_.interval_method == IntervalMethod::both ||
                                 *request_.interval_method == IntervalMethod::opinion;
  if (request_.uncertainty_column.empty() && !uses_stored && !ending.empty() && takes_uncertainty) {
    request_.uncertainty_column = column_of(task->name + ending);
  }
}

}  // namespace molgauge::verbs
