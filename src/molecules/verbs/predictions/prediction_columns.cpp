#include "molecules/verbs/predictions/prediction_columns.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "molecules/encoding/session/required_columns.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/files/named_table.h"
#include "molecules/verbs/domain/domain_labels.h"
#include "molecules/verbs/domain/model_predictions.h"

namespace molgauge::verbs {
namespace {

/// Larger numbers are refused, because their squares and sums could overflow.
constexpr double kLargestNumber = 1e100;
/// If at least this many predictions are equal to the measured values, they are copies and are refused.
constexpr std::size_t kMinCopies = 10;

void refuse_without_effect(const std::string& option, const std::string& reason) {
  throw UsageError(fmt::format("{} has no effect, because {}. Leave it out", option, reason));
}

/// Throws if the options do not fit together. This does not depend on the content of the files.
void require_options(const DomainRequest& request, const domain::PredictionCalibration* stored) {
  if (calibrates_predictions(request)) {
    if (request.calibration == "-" ||
        (std::filesystem::exists(request.calibration) &&
         !std::filesystem::is_directory(request.calibration) && !io::is_rereadable(request.calibration))) {
      throw UsageError(fmt::format(
          "--calibration {}: is a pipe, but calibration molecules are read more than once. Name a file",
          request.calibration));
    }
    if (request.label_column == request.prediction_column) {
      throw UsageError(
          fmt::format("--prediction-column {}: is the column of the measured values, too. Name the column of "
                      "the predictions",
                      request.prediction_column));
    }
    if (request.label_column.empty()) {
      throw UsageError(fmt::format(
          "--prediction-column {}: calibration needs measured values. Add --label-column with their column",
          request.prediction_column));
    }
    if (request.calibration.empty() && domain::is_saved_domain(request.training)) {
      throw UsageError(
          fmt::format("--prediction-column {}: {} contains no calibration of predictions. Add --calibration "
                      "with molecules "
                      "that have measured values and predictions",
                      request.prediction_column, request.training));
    }
  }
  const domain::PredictionColumns columns = prediction_columns(request, stored);
  if (stored != nullptr && !calibrates_predictions(request)) {
    require_stored_columns(request, *stored);
    if (request.out_of_fold) {
      refuse_without_effect("--out-of-fold", "the calibration is in the saved folder");
    }
  }
  const IntervalMethod method = request.interval_method.value_or(IntervalMethod::automatic);
  const bool takes_uncertainty = method == IntervalMethod::automatic ||
                                 method == IntervalMethod::uncertainty || method == IntervalMethod::both ||
                                 method == IntervalMethod::opinion;
  const bool takes_quantiles = method == IntervalMethod::automatic || method == IntervalMethod::quantiles;
  if (!takes_uncertainty && !request.uncertainty_column.empty()) {
    refuse_without_effect("--uncertainty-column", "--interval-method is " + to_string(method));
  }
  if (!takes_quantiles && !request.lower_column.empty()) {
    refuse_without_effect("--lower-column", "--interval-method is " + to_string(method));
  }
  if ((method == IntervalMethod::uncertainty || method == IntervalMethod::both) &&
      columns.uncertainty.empty()) {
    throw UsageError(fmt::format("--interval-method {}: needs --uncertainty-column", to_string(method)));
  }
  if (method == IntervalMethod::quantiles && columns.lower.empty()) {
    throw UsageError("--interval-method quantiles: needs --lower-column and --upper-column");
  }
}

std::vector<session::RequiredColumn> required(const domain::PredictionColumns& columns) {
  std::vector<session::RequiredColumn> all;
  const auto add = [&](const char* option, const std::string& column,
                       session::RequiredColumn::Values values = session::RequiredColumn::Values::numbers) {
    if (!column.empty()) {
      all.push_back({option, column, values});
    }
  };
  add("--label-column", columns.measured, session::RequiredColumn::Values::labels);
  add("--prediction-column", columns.prediction);
  add("--uncertainty-column", columns.uncertainty);
  add("--lower-column", columns.lower);
  add("--upper-column", columns.upper);
  return all;
}

/// Throws InputError if predictions are copies of the measured values. A good model of a few different
/// values, such as classes or counts, can be right for most molecules, but not for all.
void require_no_copies(const DomainRequest& request, const std::vector<MeasuredRow>& rows) {
  const auto copies = static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const MeasuredRow& row) { return row.measured == row.predicted.value; }));
  std::set<double> values;
  for (const MeasuredRow& row : rows) {
    values.insert(row.measured);
  }
  const bool are_copies = copies == rows.size() || (2 * copies > rows.size() && values.size() > kMinCopies);
  if (rows.size() >= kMinCopies && are_copies) {
    throw InputError(fmt::format(
        "{}: in-sample predictions: {} of {} predictions in the column {} equal the measured values in the "
        "column {}. Give predictions of a model that did not see the molecules",
        calibration_file(request), copies, rows.size(), request.prediction_column, request.label_column));
  }
}

void require_values(const DomainRequest& request, const std::vector<MeasuredRow>& rows,
                    const std::vector<std::size_t>& lines) {
  const std::string& file = calibration_file(request);
  if (rows.empty()) {
    throw InputError(
        fmt::format("{}: no row has both a measured value ({}) and a prediction ({}), so predictions cannot "
                    "be calibrated. "
                    "Fill these columns for molecules that the model did not see",
                    file, request.label_column, request.prediction_column));
  }
  const double first = rows.front().measured;
  if (std::all_of(rows.begin(), rows.end(), [&](const MeasuredRow& row) { return row.measured == first; })) {
    throw InputError(
        fmt::format("{}: all {} measured values in the column {} are {:g}, so errors cannot be calibrated. "
                    "Give molecules "
                    "with different values",
                    file, rows.size(), request.label_column, first));
  }
  require_no_copies(request, rows);
  const bool are_classes = std::all_of(rows.begin(), rows.end(), [](const MeasuredRow& row) {
    return row.measured == 0 || row.measured == 1;
  });
  if (!are_classes) {
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].predicted.value < 0 || rows[i].predicted.value > 1) {
      throw InputError(
          fmt::format("{}:{}: the prediction {:g} in the column {} is not a probability, but the measured "
                      "values are classes "
                      "(0 and 1). Give the predicted probability of class 1",
                      file, lines[i], rows[i].predicted.value, request.prediction_column));
    }
  }
  const std::string reason = "the measured values are classes (0 and 1)";
  if (!request.lower_column.empty()) {
    refuse_without_effect("--lower-column", reason);
  }
  if (request.interval_method) {
    refuse_without_effect("--interval-method", reason);
  }
}

/// Reads the rows of the calibration file that have a measured value and a prediction. `predicted`:
/// predictions that Molgauge computed. If null, the predictions are columns of the file.
MeasuredRows read_measured(const DomainRequest& request, const PredictedColumns* predicted) {
  const std::string& file = calibration_file(request);
  const domain::PredictionColumns columns = prediction_columns(request, nullptr);
  domain::PredictionColumns in_file = columns;
  if (predicted != nullptr) {
    in_file = {};
    in_file.measured = columns.measured;
  }
  session::CheckedColumns checked = session::require_columns(
      file, {request.training_smiles_column, "--train-smiles-column"}, required(in_file));
  const datasets::LabelColumn& labels = checked.labels.front();
  require_task(request, file, labels);
  std::optional<PredictedColumns::Reader> added;
  if (predicted != nullptr) {
    checked.names.insert(checked.names.end(), predicted->names().begin(), predicted->names().end());
    added.emplace(*predicted);
  }
  const PredictionReader predictions(columns, checked.names, file);
  io::MoleculeReaderOptions options;
  options.smiles_column = request.training_smiles_column;
  options.own_columns = io::OwnColumns::all;
  const auto reader = io::open_molecules(file, options);
  std::vector<MeasuredRow> rows;
  std::vector<std::size_t> lines;
  while (auto row = reader->next()) {
    if (added) {
      added->append_next(row->fields);
    }
    MeasuredRow own{row->record.row, predictions.measured(row->record, row->fields),
                    predictions.prediction(row->record, row->fields)};
    if (std::isnan(own.measured) || std::isnan(own.predicted.value)) {
      continue;
    }
    const auto require_number = [&](double number, const std::string& column) {
      if (!column.empty() && std::isnan(number)) {
        throw InputError(fmt::format(
            "{}:{}: the column {} is empty, but the row has a measured value and a prediction. Fill it, or "
            "empty the prediction",
            file, row->record.line, column));
      }
    };
    require_number(own.predicted.uncertainty, columns.uncertainty);
    require_number(own.predicted.lower, columns.lower);
    require_number(own.predicted.upper, columns.upper);
    rows.push_back(own);
    lines.push_back(row->record.line);
  }
  require_values(request, rows, lines);
  return {std::move(rows), censored_in(labels)};
}

/// Reads the predictions of the candidates once, because a wrong prediction must be found before the work
/// begins.
void check_candidates(const DomainRequest& request, const domain::PredictionColumns& columns,
                      bool are_classes) {
  if (request.candidates == "-") {
    throw UsageError(
        "--prediction-column: candidates from standard input have no columns. Name a file of candidates");
  }
  if (!io::is_rereadable(request.candidates)) {
    return;  // a pipe can be read only once, so its cells are checked when results are written
  }
  domain::PredictionColumns own = columns;
  own.measured.clear();
  const session::CheckedColumns checked =
      session::require_columns(request.candidates, {request.smiles_column}, required(own));
  const PredictionReader predictions(own, checked.names, request.candidates);
  io::MoleculeReaderOptions options;
  options.smiles_column = request.smiles_column;
  options.own_columns = io::OwnColumns::all;
  const auto reader = io::open_molecules(request.candidates, options);
  while (const auto row = reader->next()) {
    require_prediction(predictions.prediction(row->record, row->fields), own,
                       fmt::format("{}:{}", request.candidates, row->record.line), are_classes);
  }
}

}  // namespace

bool judges_predictions(const DomainRequest& request) { return !request.prediction_column.empty(); }

bool calibrates_predictions(const DomainRequest& request) {
  return judges_predictions(request) && (!request.calibration.empty() || !request.label_column.empty());
}

const std::string& calibration_file(const DomainRequest& request) {
  return request.calibration.empty() ? request.training : request.calibration;
}

domain::PredictionColumns prediction_columns(const DomainRequest& request,
                                             const domain::PredictionCalibration* stored) {
  domain::PredictionColumns columns{request.label_column, request.prediction_column,
                                    request.uncertainty_column, request.lower_column, request.upper_column};
  if (stored != nullptr && !calibrates_predictions(request)) {
    const domain::PredictionColumns& own = stored->settings().columns;
    columns.measured = own.measured;
    columns.uncertainty = columns.uncertainty.empty() ? own.uncertainty : columns.uncertainty;
    columns.lower = columns.lower.empty() ? own.lower : columns.lower;
    columns.upper = columns.upper.empty() ? own.upper : columns.upper;
  }
  return columns;
}

void require_no_option_of_predictions(const DomainRequest& request) {
  const auto refuse = [](const char* option, bool given) {
    if (given) {
      throw UsageError(fmt::format(
          "{} has no effect without calibrated predictions. Add --prediction-column, or leave {} out", option,
          option));
    }
  };
  refuse(request.calibration_split.empty() ? "--calibration" : "--calibration-split",
         !request.calibration.empty());
  refuse("--coverage", request.coverage.has_value());
  refuse("--interval-method", request.interval_method.has_value());
}

void require_stored_columns(const DomainRequest& request, const domain::PredictionCalibration& stored) {
  const auto require = [&](const char* option, const std::string& given, const std::string& own) {
    if (!given.empty() && own.empty()) {
      refuse_without_effect(option, fmt::format("{} was calibrated without such a column", request.training));
    }
  };
  require("--uncertainty-column", request.uncertainty_column, stored.settings().columns.uncertainty);
  require("--lower-column", request.lower_column, stored.settings().columns.lower);
}

void require_prediction(const domain::UserPrediction& prediction, const domain::PredictionColumns& columns,
                        const std::string& place, bool are_classes) {
  const auto require_size = [&](double number, const std::string& column) {
    if (std::abs(number) > kLargestNumber) {
      throw InputError(
          fmt::format("{}: {:g} in the column {} is too large. Correct it, or leave the cell empty", place,
                      number, column));
    }
  };
  require_size(prediction.value, columns.prediction);
  require_size(prediction.uncertainty, columns.uncertainty);
  require_size(prediction.lower, columns.lower);
  require_size(prediction.upper, columns.upper);
  if (prediction.uncertainty < 0) {
    throw InputError(fmt::format("{}: the uncertainty {:g} in the column {} is negative. Correct it", place,
                                 prediction.uncertainty, columns.uncertainty));
  }
  if (prediction.lower > prediction.upper) {
    throw InputError(
        fmt::format("{}: the quantile {:g} in the column {} is larger than {:g} in the column {}. Exchange "
                    "--lower-column and --upper-column, or correct the row",
                    place, prediction.lower, columns.lower, prediction.upper, columns.upper));
  }
  if (are_classes && (prediction.value < 0 || prediction.value > 1)) {
    throw InputError(
        fmt::format("{}: the prediction {:g} in the column {} is not a probability, but the predictions were "
                    "calibrated as probabilities of class 1. Correct it, or leave the cell empty",
                    place, prediction.value, columns.prediction));
  }
}

MeasuredRows require_prediction_columns(const DomainRequest& request, const domain::SavedDomain& saved,
                                        const ModelPredictions* predicted) {
  if (!judges_predictions(request)) {
    require_no_option_of_predictions(request);
    return {};
  }
  const bool calibrates = calibrates_predictions(request) || saved.predictions == nullptr;
  if (calibrates && !calibrates_predictions(request)) {
    throw UsageError(fmt::format(
        "--prediction-column {}: there is no calibration. Add --label-column with the column of measured "
        "values{}",
        request.prediction_column,
        domain::is_saved_domain(request.training) ? ", and --calibration with a file that has it" : ""));
  }
  require_options(request, saved.predictions.get());
  MeasuredRows read;
  bool are_classes = false;
  if (calibrates) {
    read = read_measured(request, predicted == nullptr ? nullptr : predicted->calibration());
    are_classes = std::all_of(read.rows.begin(), read.rows.end(),
                              [](const MeasuredRow& row) { return row.measured == 0 || row.measured == 1; });
  } else {
    are_classes = saved.predictions->is_classification();
    if (are_classes && request.interval_method) {
      refuse_without_effect("--interval-method", "the calibration is one of classes (0 and 1)");
    }
  }
  if (predicted == nullptr) {
    check_candidates(request, prediction_columns(request, saved.predictions.get()), are_classes);
  }
  return read;
}

PredictionReader::PredictionReader(const domain::PredictionColumns& columns,
                                   const std::vector<std::string>& names, const std::string& file)
    : columns_(columns) {
  const auto place_of = [&](const std::string& column) {
    if (column.empty()) {
      return kNone;
    }
    const auto found = io::find_column(names, column);
    if (!found) {
      throw InputError(fmt::format("{}: the column {} is missing. The columns are: {}", file, column,
                                   fmt::join(names, ", ")));
    }
    return *found;
  };
  measured_ = place_of(columns.measured);
  prediction_ = place_of(columns.prediction);
  uncertainty_ = place_of(columns.uncertainty);
  lower_ = place_of(columns.lower);
  upper_ = place_of(columns.upper);
}

double PredictionReader::number(const chem::MoleculeRecord& record, const std::vector<std::string>& fields,
                                std::size_t place, const std::string& column) const {
  if (place >= fields.size()) {  // an .sdf record may have fewer fields than the file
    return domain::kNoNumber;
  }
  const double number = session::number_in_cell(fields[place], record, column);
  if (std::abs(number) > kLargestNumber) {
    throw InputError(
        fmt::format("{}:{}: {:g} in the column {} is too large. Correct it, or leave the cell empty",
                    record.file, record.line, number, column));
  }
  return number;
}

double PredictionReader::measured(const chem::MoleculeRecord& record,
                                  const std::vector<std::string>& fields) const {
  return measured_ >= fields.size()
             ? domain::kNoNumber
             : datasets::LabelColumn(columns_.measured).read(fields[measured_], record);
}

domain::UserPrediction PredictionReader::prediction(const chem::MoleculeRecord& record,
                                                    const std::vector<std::string>& fields) const {
  const domain::UserPrediction prediction{number(record, fields, prediction_, columns_.prediction),
                                          number(record, fields, uncertainty_, columns_.uncertainty),
                                          number(record, fields, lower_, columns_.lower),
                                          number(record, fields, upper_, columns_.upper)};
  require_prediction(prediction, columns_, fmt::format("{}:{}", record.file, record.line),
                     /*are_classes=*/false);
  return prediction;
}

}  // namespace molgauge::verbs
