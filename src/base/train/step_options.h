#pragma once

#include "base/memory/plan/step_model.h"
#include "base/train/memory_saving_options.h"
#include "base/train/pass_memory.h"
#include "base/train/step.h"

namespace molgauge::train {

/// The type of the products and activations in a pass.
at::ScalarType precision_of(Autocast autocast);

/// Returns the options for steps on batches that `rows` describes. `memory_saving` and the planned settings
/// `strategy` determine how many rows are in memory at once. With `gradient_accumulation`, or with
/// `checkpoint_activations` off, the parts of a batch do not become smaller after an out-of-memory error.
/// Clipping, phases and the sum over processes keep their defaults.
StepOptions step_options(const PassRows& rows, const MemorySavingOptions& memory_saving,
                         const memory::StepSettings& strategy);

}  // namespace molgauge::train
