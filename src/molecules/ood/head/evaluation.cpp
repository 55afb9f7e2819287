#include "molecules/ood/head/evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/core/threads/worker_group.h"
#include "base/train/shards.h"

namespace molgauge::ood {
namespace {

constexpr auto kShard = static_cast<std::size_t>(train::kRowsPerShard);

memory::Workload scoring(std::size_t batch_size, std::size_t threads) {
  memory::Workload workload;
  workload.name = "scoring";
  workload.unit = "rows";
  workload.planned = std::min(batch_size, std::max<std::size_t>(1, threads) * kShard);
  workload.smallest = std::min(workload.planned, kShard);
  return workload;
}

/// relu may turn a NaN into 0. The input is therefore checked, not the output.
bool is_finite(std::span<const float> row) {
  return std::all_of(row.begin(), row.end(), [](float number) { return std::isfinite(number); });
}

void score_shard(const ScoringHead& head, std::span<const float> features, std::span<float> energies) {
  const std::int64_t width = head.feature_width();
  // The const_cast is safe, because the view is only read.
  const auto rows = ops::Floats::view(const_cast<float*>(features.data()),
                                      {static_cast<std::int64_t>(energies.size()), width});
  const ops::Floats scored = head.energies(rows);
  std::copy_n(scored.data(), energies.size(), energies.data());
  for (std::size_t row = 0; row < energies.size(); ++row) {
    if (!is_finite(
            features.subspan(row * static_cast<std::size_t>(width), static_cast<std::size_t>(width)))) {
      energies[row] = std::numeric_limits<float>::quiet_NaN();
    }
  }
}

}  // namespace

Scores score_features(const ScoringHead& head, const ops::Floats& features, std::size_t batch_size,
                      std::size_t threads) {
  const memory::Workload workload = scoring(batch_size, threads);
  memory::Recovery recovery(workload, memory::tensor_access());
  const auto rows = static_cast<std::size_t>(features.size(0));
  const auto width = static_cast<std::size_t>(features.width());
  Scores scores;
  scores.energies.resize(rows);
  for (std::size_t first = 0; first < rows;) {
    const std::size_t units = std::min(rows - first, recovery.at_once());
    const auto divisible =
        units > workload.smallest ? memory::Recovery::Divisible::yes : memory::Recovery::Divisible::no;
    const bool is_done = recovery.attempt(units, divisible, [&] {
      const std::size_t shards = (units + kShard - 1) / kShard;
      parallel_for(shards, std::max<std::size_t>(1, threads), [&](std::size_t shard) {
        const std::size_t begin = first + shard * kShard;
        const std::size_t count = std::min(kShard, first + units - begin);
        score_shard(head, features.numbers().subspan(begin * width, count * width),
                    std::span(scores.energies).subspan(begin, count));
      });
    });
    first += is_done ? units : 0;
  }
  scores.memory = recovery.counts();
  return scores;
}

std::uint64_t scoring_bytes(std::int64_t feature_width, std::int64_t hidden_width, std::size_t batch_size,
                            std::size_t threads) {
  const memory::Workload workload = scoring(batch_size, threads);
  // Bytes of the outputs of the first and the second layer for one row.
  const auto row = static_cast<std::uint64_t>(hidden_width + hidden_width / 2) * sizeof(float);
  const auto scratch =
      static_cast<std::uint64_t>(4 * ops::cpu::kBlockRows * (std::max(feature_width, hidden_width) + 1)) *
      sizeof(float);
  return workload.planned * row + std::max<std::size_t>(1, threads) * scratch;
}

Evaluation evaluate_scores(Scores id, Scores ood) {
  Evaluation evaluation;
  evaluation.memory = {.recoveries = id.memory.recoveries + ood.memory.recoveries,
                       .planned = id.memory.planned,
                       .used = std::min(id.memory.used, ood.memory.used)};
  evaluation.id_scores = std::move(id.energies);
  evaluation.ood_scores = std::move(ood.energies);
  const std::span<const float> id_scores(evaluation.id_scores), ood_scores(evaluation.ood_scores);
  evaluation.metrics = detection_metrics(id_scores, ood_scores);
  evaluation.id = summarize(id_scores);
  evaluation.ood = summarize(ood_scores);
  return evaluation;
}

}  // namespace molgauge::ood
