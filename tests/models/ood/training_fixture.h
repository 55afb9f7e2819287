#pragma once

#include <filesystem>

#include "models/ood/run/trainer.h"

namespace headroom::test {

/// Two overlapping clouds: `count` ID rows, somewhat more OOD rows, half as many rows for validation.
ood::TrainingData training_data(std::int64_t count = 60, std::int64_t width = 16);

/// Seven epochs of four batches. The last batch is partial, and every third step has an evaluation.
ood::TrainingOptions small_options();

/// As above, with 40 epochs and no early stop.
ood::TrainingOptions long_options();

/// Expects the best model, last checkpoint, training curve and dynamics to be bit-identical.
void expect_same_training(const std::filesystem::path& expected, const std::filesystem::path& actual);

}  // namespace headroom::test
