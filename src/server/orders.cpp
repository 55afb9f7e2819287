#include "server/orders.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/printable.h"
#include "server/prediction_fields.h"

namespace molgauge::serve {
namespace {

/// Returns whether the properties of the molecules are requested.
bool describes(const Request& request, const JobOrder::Task task) {
  const std::string word = request.parameter("describe");
  if (word.empty() || word == "false") {
    return false;
  }
  if (word != "true") {
    throw UsageError(fmt::format("describe={}: give true or false", word));
  }
  if (task != JobOrder::Task::domain && task != JobOrder::Task::predict) {
    throw UsageError("describe=true: has an effect only on domain and predict. Leave it out");
  }
  return true;
}

/// Returns the form of the molecules to predict. Throws UsageError if the request names an unknown form, or
/// if it names a form but does not ask for predictions.
Standardize form_to_predict(const Request& request, JobOrder::Task task) {
  const std::string word = request.parameter("standardize");
  if (word.empty()) {
    return Standardize::none;
  }
  if (task != JobOrder::Task::predict) {
    throw UsageError(fmt::format("standardize={}: has an effect only on predict. Leave it out", word));
  }
  const auto form = from_word<Standardize>(word);
  if (!form) {
    throw UsageError(
        fmt::format("standardize={}: is not a form of molecules. Give none, parent or tautomer", word));
  }
  return *form;
}

}  // namespace

std::string name_of_input(const Request& request) {
  std::string name = request.parameter("name");
  name = printable(name.substr(name.find_last_of("/\\") + 1).substr(0, 200));
  std::ranges::replace_if(
      name,
      [](char character) { return std::string_view("\"\\<>&'").find(character) != std::string_view::npos; },
      '_');
  return name;
}

JobOrder order_of(const Request& request, ListForm form, JobOrder::Task task, const Models& models) {
  JobOrder order{.task = task,
                 .name = name_of_input(request),
                 .smiles_column = request.parameter("smiles_column", "smiles")};
  order.standardize = form_to_predict(request, order.task);
  order.describe = describes(request, order.task);
  const PredictionFields fields = prediction_fields(request);
  if (order.task == JobOrder::Task::encode) {
    order.encoder = models.encoder_named(request.parameter("encoder"));
    if (!fields.empty()) {
      throw UsageError(
          fmt::format("prediction_column={}: has no effect on encode. Leave it out", fields.prediction));
    }
    if (form == ListForm::sdf) {
      throw UsageError("encode takes SMILES: text/plain, text/csv or application/json");
    }
    return order;
  }
  const Model& model = models.find_for(order.task != JobOrder::Task::predict, request.parameter("model"));
  if (order.task == JobOrder::Task::predict) {
    order.model = model.name;
    if (!fields.empty()) {
      throw UsageError(
          fmt::format("prediction_column={}: has no effect on predict. Leave it out", fields.prediction));
    }
    return order;
  }
  const bool asks_for_domain = order.task == JobOrder::Task::domain;
  // A request to /api/v1/score may name a saved domain. The job then gives the verdicts of `domain`.
  order.task = model.kind == Model::Kind::domain ? JobOrder::Task::domain : JobOrder::Task::score;
  if (asks_for_domain && order.task != JobOrder::Task::domain) {
    throw UsageError("model=" + model.name + ": is a run. Use /api/v1/score");
  }
  order.model = model.name;
  if (!fields.empty()) {
    require_calibration(fields, model, form);
    order.predictions = with_names_of(*model.calibration, fields);
  }
  return order;
}

}  // namespace molgauge::serve
