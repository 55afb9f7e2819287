#include "server/prediction_fields.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"

namespace molgauge::serve {
namespace {

constexpr const char* kPrediction = "prediction_column";
constexpr const char* kUncertainty = "uncertainty_column";
constexpr const char* kLower = "lower_column";
constexpr const char* kUpper = "upper_column";

}  // namespace

PredictionFields prediction_fields(const Request& request) {
  const PredictionFields fields{.prediction = request.parameter(kPrediction),
                                .uncertainty = request.parameter(kUncertainty),
                                .lower = request.parameter(kLower),
                                .upper = request.parameter(kUpper)};
  if (fields.empty()) {
    for (const char* const name : {kUncertainty, kLower, kUpper}) {
      if (!request.parameter(name).empty()) {
        throw UsageError(fmt::format(
            "{}={}: has no effect without prediction_column. Name the column of the predictions, too", name,
            request.parameter(name)));
      }
    }
  }
  if (fields.lower.empty() != fields.upper.empty()) {
    throw UsageError("lower_column and upper_column: quantiles come in pairs. Name both columns, or none");
  }
  return fields;
}

void require_calibration(const PredictionFields& fields, const Model& model, ListForm form) {
  const auto refuse = [&](const char* name, const std::string& column, const std::string& reason) {
    throw UsageError(fmt::format("{}={}: {}", name, column, reason));
  };
  if (form == ListForm::lines) {
    refuse(kPrediction, fields.prediction,
           "a list of type text/plain has no columns. Send text/csv or application/json");
  }
  if (!model.calibration) {
    refuse(kPrediction, fields.prediction,
           fmt::format("the model {} contains no calibration of predictions. Leave prediction_column out, or "
                       "use a model of molgauge domain --calibration --save",
                       model.name));
  }
  const auto require = [&](const char* name, const std::string& given, const std::string& own) {
    if (!given.empty() && own.empty()) {
      refuse(name, given,
             fmt::format("has no effect, because the model {} was calibrated without such a column. Leave it "
                         "out",
                         model.name));
    }
  };
  require(kUncertainty, fields.uncertainty, model.calibration->uncertainty);
  require(kLower, fields.lower, model.calibration->lower);
}

PredictionFields with_names_of(const StoredCalibration& calibration, PredictionFields fields) {
  const auto complete = [](std::string& name, const std::string& own) {
    if (name.empty()) {
      name = own;
    }
  };
  complete(fields.uncertainty, calibration.uncertainty);
  complete(fields.lower, calibration.lower);
  complete(fields.upper, calibration.upper);
  return fields;
}

nlohmann::ordered_json calibration_json(const std::optional<StoredCalibration>& calibration) {
  if (!calibration) {
    return nullptr;
  }
  return {{"kind", calibration->are_classes ? "classification" : "regression"},
          {kPrediction, calibration->prediction},
          {kUncertainty, calibration->uncertainty},
          {kLower, calibration->lower},
          {kUpper, calibration->upper}};
}

}  // namespace molgauge::serve
