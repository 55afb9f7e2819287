#pragma once

#include <filesystem>
#include <string>

#include <ATen/ATen.h>

#include "ood/head/energy_head.h"
#include "ood/run/adamw.h"
#include "ood/run/training_pairs.h"
#include "ood/run/training_progress.h"

namespace headroom::ood {

/// Everything a training consists of; what a checkpoint holds.
struct TrainingState {
  EnergyHead head;
  AdamW optimizer;
  at::Generator dropout;
  TrainingPairs pairs;
  TrainingProgress progress;
};

/// What a checkpoint belongs to.
struct TrainingIdentity {
  std::string options, data;  ///< resume_identity(), data_identity()
};

/// Writes a safetensors file, atomically: parameters, moments and the generator's state as tensors; progress,
/// random.Random's state and the identity as metadata. Equal states give equal bytes.
void write_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                      const TrainingIdentity& identity);

/// Puts a checkpoint's numbers into a state built with the same options. Throws InputError naming the file
/// and what to do when it is damaged, not a checkpoint, or of another training.
void read_checkpoint(const std::filesystem::path& path, TrainingState& state,
                     const TrainingIdentity& identity);

}  // namespace headroom::ood
