#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace molgauge::ood {

/// The numbers of OOD and ID scores that are at least `score`.
struct ScoreCounts {
  double score = 0;
  std::uint64_t ood = 0;  ///< true positives
  std::uint64_t id = 0;   ///< false positives
};

/// One entry for each distinct score in descending order. The last entry has the totals. Sorts all scores
/// once. Throws InputError if a group is empty or a score is not finite.
std::vector<ScoreCounts> cumulative_counts(std::span<const float> id, std::span<const float> ood);
std::vector<ScoreCounts> cumulative_counts(std::span<const double> id, std::span<const double> ood);

/// Share of OOD molecules among the counted scores, or 1 if there are none.
double precision(const ScoreCounts& counts);

}  // namespace molgauge::ood
