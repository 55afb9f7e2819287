#pragma once

#include <cstddef>

#include "molgauge/train.h"

namespace molgauge::train {

/// Options of a training that save memory. Only autocast and the type of the moments change the results.
struct MemorySavingOptions {
  /// Number of parts into which the rows of a step are divided. The parts are processed one after another. 0
  /// means that the available memory determines the number.
  std::size_t gradient_accumulation = 0;
  Checkpointing checkpoint_activations = Checkpointing::automatic;
  Autocast autocast = Autocast::off;
  MomentType optimizer_state = MomentType::fp32;
  EmptyCache empty_cache = EmptyCache::after_out_of_memory;
  /// Use the smallest parts and keep no activations, even if memory does not require it.
  bool is_conservative = false;
};

/// Throws UsageError with the option if it is unknown or has no effect with the other options.
MemorySavingOptions parse_memory_saving(const TrainRequest& request);

/// Throws UsageError if an option has no effect on this kind of device.
void require_effect_on_device(const MemorySavingOptions& memory_saving, bool on_gpu);

/// Throws UsageError if an option has no effect on this kind of device, or on steps of `rows` rows.
void require_effect(const MemorySavingOptions& memory_saving, std::size_t rows, bool on_gpu);
/// Throws UsageError if an option has no effect on steps of `rows` rows in `parts` parts.
void require_effect_on_parts(const MemorySavingOptions& memory_saving, std::size_t rows, std::size_t parts);

}  // namespace molgauge::train
