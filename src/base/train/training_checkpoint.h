#pragma once

#include <string>

#include "base/train/collectives/process_group.h"
#include "base/train/model.h"

namespace molgauge::train {

/// The state for resuming a training: parameters, optimizer, counters, and the additional state of the model.
Checkpoint checkpoint_of(Model& model, const TrainingState& state);

/// Restores the state from a checkpoint. Throws InputError with `file` if a part is missing or unsuitable.
TrainingState restore(Model& model, const Checkpoint& checkpoint, const std::string& file);

/// Gives all processes the state of the first one.
void share_state(ProcessGroup& group, Model& model, TrainingState& state);

}  // namespace molgauge::train
