#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/core/device.h"
#include "base/memory/plan/step_model.h"
#include "base/train/memory_saving_options.h"
#include "pockets/network.h"
#include "pockets/training/losses.h"

namespace molgauge::pocket {

struct TrainingOptions {
  EncoderShape shape;
  double dropout = 0.1;
  LossOptions loss;
  std::size_t batch_size = 2, accumulation_steps = 1;
  std::size_t epochs = 300, patience = 100;
  double learning_rate = 2e-4, weight_decay = 1e-6;
  bool decoupled_decay = true;  ///< true selects AdamW, false selects Adam
  RateSchedule schedule = RateSchedule::plateau;
  double grad_clip = 1.0;  ///< maximum L2 norm of the gradient; 0 selects a default, see clipping_norm()
  bool monitor_gradients = false;
  double physics_weight = 0;  ///< 0 disables the physics loss
  bool physics_nonbonded = false;
  std::size_t loader_threads = 1;  ///< threads that prefetch the next batch; 0 disables prefetching
  std::size_t save_every = 3;      ///< epochs between checkpoints
  std::size_t processes = 1;       ///< number of processes that share the pockets of a step
  std::uint64_t seed = 42;
  bool resume = true, quiet = false;
  Device device;  ///< device of the passes; parameters and moments stay on the CPU
  train::MemorySavingOptions memory_saving;
  memory::StepSettings strategy;  ///< strategy of steps from the plan; does not change the result
};

/// Returns grad_clip or, if it is 0, the default: 2 for infonce, 1.5 for cosine and cosine_mse, 1 for mse.
double clipping_norm(const TrainingOptions& options);

}  // namespace molgauge::pocket
