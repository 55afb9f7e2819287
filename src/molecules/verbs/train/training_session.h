#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "base/runtime/budget_scope.h"
#include "molecules/baselines/classifier/classifier_plan.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molecules/ood/run/training_data.h"
#include "molecules/ood/run/training_plan.h"
#include "molecules/verbs/baseline/baseline_data.h"

namespace molgauge::verbs {

ood::TrainingSizes training_sizes(const datasets::OodBenchmark& benchmark, std::size_t width);

/// Bytes of the features.
std::uint64_t feature_bytes(const ood::TrainingData& data);
std::uint64_t feature_bytes(const BaselineData& data);

/// Plans the training of a head, including its features, within the memory of the session. `molgauge train`
/// and `molgauge memory plan` call it before they encode.
ood::TrainingPlan plan_training(const ood::TrainingOptions& options, const ood::TrainingSizes& sizes,
                                std::size_t threads, runtime::BudgetScope& memory);

/// Plans the training of a classifier on the CPU in the same way. `living_features`: bytes of features that
/// are already in memory.
MemoryPlan plan_classifier(const baselines::ClassifierOptions& options,
                           const baselines::ClassifierSizes& sizes, runtime::BudgetScope& memory,
                           std::uint64_t living_features);

/// Scores the validation molecules with the best model of a run folder and stores the scores in the folder
/// (molecules/ood/run/validation_scores.h). They determine the thresholds and probabilities of new molecules.
/// Call it after the training, while its data are still on the device.
void keep_validation_scores(const std::filesystem::path& run, const ood::TrainingData& data,
                            std::size_t batch_size);

}  // namespace molgauge::verbs
