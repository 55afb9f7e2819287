#include "baselines/run/request_options.h"

#include "baselines/classifier/benchmark_labels.h"
#include "core/error.h"
#include "core/option_range.h"

namespace headroom::baselines {
namespace {

Uncertainty parse_uncertainty(const std::string& name) {
  if (name == "entropy") {
    return Uncertainty::entropy;
  }
  if (name == "variance") {
    return Uncertainty::variance;
  }
  throw UsageError("there is no uncertainty '" + name + "': use entropy or variance");
}

}  // namespace

ClassifierOptions classifier_options(const BaselineRequest& request, ObjectiveKind objective) {
  require_in_range("hidden-channels", request.hidden_channels);
  require_in_range("num-layers", request.num_layers);
  require_in_range("dropout", request.dropout);
  require_in_range("epochs", request.epochs);
  require_in_range("batch-size", request.batch_size);
  require_in_range("patience", request.patience);
  require_in_range("lr", request.learning_rate);
  require_in_range("weight-decay", request.weight_decay);
  require_in_range("dam-lr", request.dam_learning_rate);
  require_in_range("dam-margin", request.dam_margin);
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
  require_in_range("odin-temperature", request.odin_temperature);
  require_in_range("odin-noise", request.odin_noise);
  require_in_range("knn-k", request.knn_k);
  require_in_range("lof-neighbors", request.lof_neighbors);
  require_in_range("mc-dropout-samples", request.mc_dropout_samples);
  require_in_range("eval-batch-size", request.eval_batch_size);
  MethodOptions options;
  options.odin = {request.odin_temperature, request.odin_noise};
  options.knn.neighbours = request.knn_k;
  options.lof.neighbours = request.lof_neighbors;
  options.mc_dropout = {request.mc_dropout_samples, parse_uncertainty(request.mc_dropout_metric),
                        request.dropout, request.seed};
  return options;
}

std::vector<std::string> methods_of(const BaselineRequest& request) {
  std::vector<std::string> methods = methods_of(request.method);
  if (parse_label_choice(request.labels) == LabelChoice::value) {
    std::erase_if(methods,
                  [](const auto& method) { return objective_of(method) == ObjectiveKind::auc_margin; });
  }
  if (methods.empty()) {
    throw UsageError(request.method +
                     " cannot learn measured values (labels value): AUC maximisation needs " +
                     "positives; take other labels or another method");
  }
  return methods;
}

bool holds_out_calibration(const BaselineRequest& request) {
  if (request.calibration != "held-out" && request.calibration != "validation") {
    throw UsageError("there is no calibration '" + request.calibration + "': use held-out or validation");
  }
  return request.calibration == "held-out";
}

}  // namespace headroom::baselines
