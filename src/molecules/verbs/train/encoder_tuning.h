#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/runtime/budget_scope.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molecules/encoders/frozen_activations.h"
#include "molecules/encoders/trainable_encoder.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/ood/run/tuned_rows.h"
#include "molecules/ood/run/tuning_plan.h"

namespace molgauge::verbs {

/// Throws UsageError if an option has no effect or is invalid when layers of the encoder are trained.
/// `precision`: the result of resolve_precision().
void require_tunable(const TrainRequest& request, const std::string& precision);

/// The two parts of an encoder: the frozen layers, and the last layers, which are trained.
struct TuningParts {
  std::unique_ptr<encoders::TrainableEncoder> trained;
  /// The frozen layers. Each row that they return is the index of a molecule in `trained`.
  std::unique_ptr<encoders::Encoder> frozen;
  /// Sets the storage of the outputs of the frozen layers. Call it before the first molecule is encoded.
  std::function<void(std::unique_ptr<encoders::FrozenActivations> numbers)> keep_in;
  /// Bytes of the output of the frozen part for a molecule.
  std::function<std::uint64_t(const memory::ItemSize& size)> kept_bytes;
  /// Identity of the encoder with trained layers that have this fingerprint (trained_run.h).
  std::function<std::string(const std::string& fingerprint)> identity_with;
};

/// Loads the weights. Throws the errors of read_installed_weights() and frozen_layers().
TuningParts load_tuning_parts(const TrainRequest& request, const ood::TrainingOptions& options);

/// Estimated sizes of the molecules of a list. If the list is very long, contains only the largest molecules.
/// Throws InputError if the list is empty.
std::vector<memory::ItemSize> estimated_sizes(const session::MoleculeList& list,
                                              const encoders::Encoder& encoder);
/// Bytes of the outputs of the frozen part for `records` molecules. `sizes`: result of estimated_sizes().
std::uint64_t bytes_to_keep(const TuningParts& parts, const std::vector<memory::ItemSize>& sizes,
                            std::size_t records);

/// Loads the weights of the best model of the run into an encoder. Returns the identity of the encoder with
/// these weights (trained_run.h), under which the store keeps its features. Throws InputError if the file
/// belongs to another encoder.
std::string take_best(encoders::TrainableEncoder& encoder, const TuningParts& parts,
                      const std::filesystem::path& run);

/// Plans the training within the memory of the session, on its device, and declares the memory of the plan.
/// `encoding_bytes`: the memory of the frozen part while it encodes the molecules, without its weights.
struct PlannedTuning {
  ood::TuningPlan plan;
  std::uint64_t kept_bytes = 0;  ///< bytes of the outputs of the frozen part, in memory or on disk
};
PlannedTuning plan_tuning(const TuningParts& parts, const ood::TrainingOptions& options,
                          const datasets::OodBenchmark& benchmark, const session::MoleculeList& molecules,
                          std::uint64_t encoding_bytes, std::size_t threads, runtime::BudgetScope& memory);

}  // namespace molgauge::verbs
