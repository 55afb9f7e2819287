#include "molecules/verbs/score/ood_verdict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/core/text/counted.h"
#include "molecules/judging/calibrated_domain.h"
#include "molecules/judging/held_out_distribution.h"

namespace molgauge::verbs {
namespace {

double mean_of(const std::vector<float>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// Returns the sample standard deviation of the scores of one molecule over the seeds. The mean score of
/// held-out molecules (`centres`) is subtracted for each seed, because energies of different seeds have
/// different zero points.
double deviation(const std::vector<float>& scores, const std::vector<double>& centres) {
  const auto count = static_cast<double>(scores.size());
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    mean += (scores[i] - centres[i]) / count;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double offset = scores[i] - centres[i] - mean;
    squares += offset * offset;
  }
  return std::sqrt(squares / (count - 1));
}

/// Share of the seeds that disagree with the verdict of the majority.
double disagreement(const std::vector<float>& scores, const std::vector<double>& thresholds) {
  std::size_t outside = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    outside += scores[i] > thresholds[i] ? 1 : 0;
  }
  return static_cast<double>(std::min(outside, scores.size() - outside)) / static_cast<double>(scores.size());
}

/// The threshold is the k-th smallest of n held-out scores. At most n - k of the held-out scores are above
/// the threshold. Therefore a score above the threshold has a p-value of at most (n + 1 - k) / (n + 1).
double level_above(const ood::ScoreThreshold& threshold, std::size_t held_out, double id_recall) {
  const auto count = static_cast<double>(held_out);
  const double rank = threshold.is_met ? std::ceil((count + 1) * id_recall) : count;
  return (count + 1 - rank) / (count + 1);
}

std::string origin_of(const ood::ScoreThreshold& threshold, std::size_t held_out, double id_recall) {
  return fmt::format(
      "threshold {}: {} of molecules like the training molecules have at most this score, measured on its "
      "{}{}",
      threshold.score, threshold.is_met ? fmt::format("{:g} %", 100 * id_recall) : "nearly all",
      counted(held_out, "held-out molecule"),
      threshold.is_met ? "" : fmt::format(", too few for --id-recall {:g}", id_recall));
}

}  // namespace

OodVerdict::OodVerdict(const std::optional<double>& asked, double id_recall, const HeldOutScores& held_out)
    : threshold_(asked), is_asked_for_(asked.has_value()), platt_(held_out.platt) {
  if (asked) {
    origin_ = fmt::format("threshold {}, as requested", *asked);
  } else if (held_out.id.empty()) {
    origin_ = held_out.why_none +
              ", so there is no threshold and ood_prediction is empty. Give one with --threshold";
  } else {
    ood::ScoreThreshold found = ood::threshold_at(held_out.id, id_recall);
    level_ = level_above(found, held_out.id.size(), id_recall);
    if (held_out.domain_level) {
      const float score = domain::HeldOutDistribution(held_out.id).threshold(1 - id_recall);
      if (std::isfinite(score)) {
        found = {.score = score, .is_met = true};
        level_ = 1 - id_recall;
      }
    }
    threshold_ = found.score;
    outside_level_ = std::min(level_, held_out.domain_level.value_or(domain::kDefaultOutsideLevel));
    origin_ = origin_of(found, held_out.id.size(), id_recall);
  }
  for (const std::vector<float>& own : held_out.id_of_seeds) {
    centres_.push_back(mean_of(own));
    thresholds_.push_back(asked.value_or(ood::threshold_at(own, id_recall).score));
  }
}

void OodVerdict::judge(const std::vector<float>& of_seeds, ScoredMolecule& molecule) const {
  molecule.score = of_seeds.size() == 1 ? of_seeds.front() : static_cast<float>(mean_of(of_seeds));
  if (of_seeds.size() > 1) {
    molecule.deviation = deviation(of_seeds, centres_);
    molecule.disagreement = disagreement(of_seeds, thresholds_);
  }
  if (platt_) {
    molecule.resembles_training_ood = platt_->probability(molecule.score);
  }
}

}  // namespace molgauge::verbs
