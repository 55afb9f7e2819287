#include "molecules/ood/losses/hard_pairs.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/json/json_text.h"
#include "base/core/random/python_random.h"

namespace molgauge::ood {
namespace {

using nlohmann::ordered_json;

constexpr double kBoundaryDifference = 0.05;
constexpr std::size_t kBins = 20;
constexpr double kLowestPercentile = 0.01, kHighestPercentile = 0.99;

double weight_of(double difference, double beta) {
  // This form avoids an overflow of exp() for the easiest pairs.
  const double x = beta * difference;
  return beta * (x > 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x)));
}

/// Interpolates between two neighbours, like NumPy's percentile.
double percentile(const std::vector<double>& ascending, double share) {
  const double place = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (place - std::floor(place)) * (ascending[above] - ascending[below]);
}

std::vector<double> sampled_differences(std::span<const float> id, std::span<const float> ood,
                                        std::size_t pairs, std::uint64_t seed) {
  PythonRandom random(seed);
  std::vector<double> differences(pairs);
  for (double& difference : differences) {
    const double outside = ood[random.below(ood.size())];
    difference = outside - static_cast<double>(id[random.below(id.size())]);
  }
  return differences;
}

template <typename Belongs>
PairGroup group_of(const std::vector<double>& differences, double beta, Belongs belongs) {
  PairGroup group;
  double sum = 0;
  for (const double difference : differences) {
    if (belongs(difference)) {
      ++group.count;
      sum += weight_of(difference, beta);
    }
  }
  group.share = static_cast<double>(group.count) / static_cast<double>(differences.size());
  group.mean_weight = group.count > 0 ? sum / static_cast<double>(group.count) : 0;
  return group;
}

std::vector<PairBin> bins_of(const std::vector<double>& ascending, double beta) {
  double low = percentile(ascending, kLowestPercentile), high = percentile(ascending, kHighestPercentile);
  if (!(high > low)) {  // all values are equal
    low -= 0.5;
    high += 0.5;
  }
  const double width = (high - low) / static_cast<double>(kBins);
  std::vector<PairBin> bins(kBins);
  for (std::size_t i = 0; i < kBins; ++i) {
    bins[i].low = low + width * static_cast<double>(i);
    bins[i].high = i + 1 == kBins ? high : low + width * static_cast<double>(i + 1);
  }
  for (const double difference : ascending) {
    if (difference >= low && difference <= high) {
      PairBin& bin = bins[std::min(static_cast<std::size_t>((difference - low) / width), kBins - 1)];
      ++bin.count;
      bin.mean_weight += weight_of(difference, beta);
    }
  }
  for (PairBin& bin : bins) {
    bin.mean_weight /= static_cast<double>(std::max<std::size_t>(bin.count, 1));
  }
  return bins;
}

ordered_json to_json(const PairGroup& group) {
  return {{"count", group.count}, {"ratio", group.share}, {"mean_weight", group.mean_weight}};
}

}  // namespace

HardPairs validate_hard_pairs(std::span<const float> id, std::span<const float> ood, double beta,
                              std::size_t pairs, std::uint64_t seed) {
  std::vector<double> differences = sampled_differences(id, ood, pairs, seed);
  std::sort(differences.begin(), differences.end());
  HardPairs result;
  result.beta = beta;
  result.pairs = pairs;
  double sum = 0;
  for (const double difference : differences) {
    sum += difference;
  }
  result.mean_difference = sum / static_cast<double>(pairs);
  result.hard = group_of(differences, beta, [](double d) { return d < 0; });
  result.easy = group_of(differences, beta, [](double d) { return d > 0; });
  result.boundary = group_of(differences, beta, [](double d) { return std::abs(d) < kBoundaryDifference; });
  result.mean_weight = group_of(differences, beta, [](double) { return true; }).mean_weight;
  // If all pairs are very easy, all weights may be 0.
  result.hard_share_of_weight =
      result.mean_weight > 0 ? result.hard.share * result.hard.mean_weight / result.mean_weight : 0;
  result.bins = bins_of(differences, beta);
  return result;
}

void write_hard_pairs(const std::filesystem::path& run, const HardPairs& validation) {
  ordered_json bins = ordered_json::array();
  for (const PairBin& bin : validation.bins) {
    bins.push_back(
        {{"low", bin.low}, {"high", bin.high}, {"count", bin.count}, {"mean_weight", bin.mean_weight}});
  }
  const ordered_json fields = {{"beta", validation.beta},
                               {"pairs", validation.pairs},
                               {"mean_difference", validation.mean_difference},
                               {"mean_weight", validation.mean_weight},
                               {"hard", to_json(validation.hard)},
                               {"easy", to_json(validation.easy)},
                               {"boundary", to_json(validation.boundary)},
                               {"hard_share_of_weight", validation.hard_share_of_weight},
                               {"bins", std::move(bins)}};
  replace_file(run / "hard_pair_validation.json", json_text(fields));
}

}  // namespace molgauge::ood
