#pragma once

#include <filesystem>

#include "models/ood/run/trainer.h"

namespace headroom::test {

/// Two clouds that overlap: `count` ID rows, somewhat more OOD rows, half as many for validation.
ood::TrainingData training_data(std::int64_t count = 60, std::int64_t width = 16);

/// Seven epochs of four batches, the last one partial, an evaluation every third step.
ood::TrainingOptions small_options();

/// As above, with 40 epochs and no early stop.
ood::TrainingOptions long_options();

/// Best model, last checkpoint, training curve and dynamics have the same bytes.
void expect_same_training(const std::filesystem::path& expected, const std::filesystem::path& actual);

}  // namespace headroom::test
