#include "molecules/ood/metrics/score_counts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "base/core/error.h"

namespace molgauge::ood {
namespace {

struct LabelledScore {
  double score;
  bool ood;
};

template <typename Score>
void append(std::vector<LabelledScore>& all, std::span<const Score> scores, bool ood) {
  const char* group = ood ? "OOD" : "ID";
  if (scores.empty()) {
    throw InputError(std::string("no ") + group + " scores: AUROC, AUPR and FPR95 need both groups");
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isfinite(scores[i])) {
      throw InputError(std::string(group) + " score " + std::to_string(i) +
                       " is not a finite number. Leave out molecules that failed");
    }
    all.push_back({static_cast<double>(scores[i]), ood});
  }
}

template <typename Score>
std::vector<ScoreCounts> counts_of(std::span<const Score> id, std::span<const Score> ood) {
  std::vector<LabelledScore> all;
  all.reserve(id.size() + ood.size());
  append(all, id, false);
  append(all, ood, true);
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.score > y.score; });
  std::vector<ScoreCounts> counts;
  ScoreCounts running;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ++(all[i].ood ? running.ood : running.id);
    if (i + 1 == all.size() || all[i + 1].score != all[i].score) {
      running.score = all[i].score;
      counts.push_back(running);
    }
  }
  return counts;
}

}  // namespace

std::vector<ScoreCounts> cumulative_counts(std::span<const float> id, std::span<const float> ood) {
  return counts_of(id, ood);
}

std::vector<ScoreCounts> cumulative_counts(std::span<const double> id, std::span<const double> ood) {
  return counts_of(id, ood);
}

double precision(const ScoreCounts& counts) {
  const std::uint64_t positives = counts.ood + counts.id;
  return positives == 0 ? 1.0 : static_cast<double>(counts.ood) / static_cast<double>(positives);
}

}  // namespace molgauge::ood
