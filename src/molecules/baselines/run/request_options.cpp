#include "molecules/baselines/run/request_options.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/options/settings.h"
#include "base/options/tables.h"
#include "molecules/baselines/classifier/benchmark_labels.h"

namespace molgauge::baselines {

ClassifierOptions classifier_options(const BaselineRequest& request, ObjectiveKind objective) {
  options::require_ranges(options::view(request));
  ClassifierOptions options;
  options.hidden = static_cast<std::int64_t>(request.hidden_channels);
  options.layers = static_cast<std::int64_t>(request.num_layers);
  options.dropout = request.dropout;
  options.epochs = request.epochs;
  options.batch_size = request.batch_size;
  options.patience = request.patience;
  options.objective = objective;
  options.adam.learning_rate = request.learning_rate;
  options.adam.weight_decay = request.weight_decay;
  options.pesg.learning_rate = request.dam_learning_rate;
  options.pesg.weight_decay = request.weight_decay;
  options.pesg.margin = request.dam_margin;
  options.seed = request.seed;
  validate(options);
  return options;
}

MethodOptions method_options(const BaselineRequest& request) {
  options::require_ranges(options::view(request));
  MethodOptions options;
  options.odin = {request.odin_temperature, request.odin_noise};
  options.knn.neighbours = request.knn_k;
  options.lof.neighbours = request.lof_neighbors;
  options.mc_dropout = {request.mc_dropout_samples, request.mc_dropout_metric, request.dropout, request.seed};
  return options;
}

std::vector<std::string> methods_of(const BaselineRequest& request) {
  std::vector<std::string> methods = methods_of(request.method);
  if (request.labels == LabelChoice::value) {
    std::erase_if(methods,
                  [](const auto& method) { return objective_of(method) == ObjectiveKind::auc_margin; });
  }
  if (methods.empty()) {
    throw UsageError(request.method +
                     " cannot learn measured values (labels value), because AUC maximisation needs " +
                     "positives. Take other labels or another method");
  }
  return methods;
}

void require_without_ood(const BaselineRequest& request) {
  if (trains_on_ood(request.method)) {
    throw UsageError(
        fmt::format("--method {}: trains on OOD molecules, and molgauge baseline has none. Use molgauge "
                    "experiment, with a [[method]] with kind = \"{}\" in its specification",
                    request.method, request.method));
  }
}

bool holds_out_calibration(const BaselineRequest& request) {
  return request.calibration == CalibrationMolecules::held_out;
}

}  // namespace molgauge::baselines
