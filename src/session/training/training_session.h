#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "baselines/classifier/classifier_plan.h"
#include "datasets/ood_benchmark.h"
#include "ood/run/training_data.h"
#include "ood/run/training_plan.h"
#include "session/baselines/baseline_data.h"
#include "session/memory_session.h"

namespace headroom::session {

ood::TrainingSizes training_sizes(const datasets::OodBenchmark& benchmark, std::size_t width);

/// Bytes of the features as they are.
std::uint64_t feature_bytes(const ood::TrainingData& data);
std::uint64_t feature_bytes(const BaselineData& data);

/// Plans the training of a head, features included, within what the session has room for: `headroom train`
/// and `headroom memory plan` ask here, before anything is encoded.
ood::TrainingPlan plan_training(const ood::TrainingOptions& options, const ood::TrainingSizes& sizes,
                                std::size_t threads, MemorySession& memory);

/// The same for a classifier, on the CPU. `living_features`: bytes of features that are in memory already.
MemoryPlan plan_classifier(const baselines::ClassifierOptions& options,
                           const baselines::ClassifierSizes& sizes, MemorySession& memory,
                           std::uint64_t living_features);

/// What work takes at its highest beside so many bytes that are in memory already, in the smallest way where
/// nothing fits.
std::uint64_t bytes_to_come(const MemoryPlan& plan, std::uint64_t living);

/// Scores the validation molecules with the best model of a run folder and keeps them there
/// (ood/validation_scores.h), for the thresholds and probabilities of new molecules. The training has ended,
/// and the data are on its device.
void keep_validation_scores(const std::filesystem::path& run, const ood::TrainingData& data,
                            std::size_t batch_size);

}  // namespace headroom::session
