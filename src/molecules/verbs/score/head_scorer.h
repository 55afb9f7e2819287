#pragma once

#include <cstdint>
#include <functional>

#include "base/core/device.h"
#include "base/runtime/budget_scope.h"
#include "molecules/ood/head/evaluation.h"

namespace molgauge::verbs {

/// Scores features with a trained head: on the CPU by Molgauge's kernels, on a GPU by LibTorch.
class HeadScorer {
 public:
  /// `batch_size`: maximum number of rows that are scored at once.
  HeadScorer(const ood::HeadWeights& weights, Device device, std::size_t batch_size, std::size_t threads);

  /// Returns the memory that is necessary to score this many rows, in addition to the encoder and the memory
  /// that encoding leaves behind. `rows_at_once`: maximum number of rows whose features are in memory.
  /// `bytes_a_row`: bytes that each row needs in addition to its features.
  runtime::MemoryRequirement need(std::size_t rows, std::size_t rows_at_once,
                                  std::uint64_t bytes_a_row) const;

  /// Scores features [n, width] in the same way as ood::score_features().
  ood::Scores score(const ops::Floats& features) const { return score_(features); }

 private:
  Device device_;
  std::int64_t width_, hidden_width_;
  std::size_t batch_size_, threads_;
  std::function<ood::Scores(const ops::Floats&)> score_;
};

}  // namespace molgauge::verbs
