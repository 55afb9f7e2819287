#include "molecules/ood/run/training_options.h"

#include "base/core/error.h"
#include "base/options/identity.h"
#include "base/options/settings.h"
#include "base/options/tables.h"

namespace molgauge::ood {

TrainRequest request_of(const TrainingOptions& options) {
  TrainRequest request;
  static_cast<HeadTraining&>(request) = options;
  static_cast<EncoderTuning&>(request) = options;
  static_cast<LossParameters&>(request) = options.loss;
  request.loss = options.loss.kind;
  request.early_stopping = options.early_stopping;
  if (const std::size_t parts = options.memory_saving.gradient_accumulation; parts > 0) {
    request.gradient_accumulation = std::to_string(parts);
  }
  request.checkpoint_activations = options.memory_saving.checkpoint_activations;
  request.autocast = options.memory_saving.autocast;
  request.optimizer_state = options.memory_saving.optimizer_state;
  return request;
}

void validate(const TrainingOptions& options) {
  options::require_ranges(options::view(request_of(options)));
  if (options.hidden_dim % 2 != 0) {
    throw UsageError("hidden-dim must be even");
  }
}

std::string resume_identity(const TrainingOptions& options) {
  return options::identity_as_json(options::view(request_of(options)), options::Part::training);
}

}  // namespace molgauge::ood
