#pragma once

#include <filesystem>

#include "molecules/ood/run/trainer.h"

namespace molgauge::test {

/// Two overlapping clouds with `count` ID rows and slightly more OOD rows. The validation parts have half as
/// many rows.
ood::TrainingData training_data(std::int64_t count = 60, std::int64_t width = 16);

/// Seven epochs of four batches. The last batch is partial, and every third step has an evaluation.
ood::TrainingOptions small_options();

/// Like small_options(), but with 40 epochs and no early stop.
ood::TrainingOptions long_options();

/// Expects that the best model, the last checkpoint, the training curve and the dynamics in both folders are
/// bit-identical.
void expect_same_training(const std::filesystem::path& expected, const std::filesystem::path& actual);

}  // namespace molgauge::test
