#include "molecules/experiments/matrix/cluster_bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "base/core/session/log.h"
#include "molecules/experiments/matrix/statistics.h"

namespace molgauge::matrix {
namespace {

constexpr std::size_t kDrawings = 2'000;
constexpr std::size_t kMaxRuns = 1'000;

/// The score of a test molecule, and its cluster.
struct Scored {
  float score = 0;
  std::uint32_t cluster = 0;
  bool is_ood = false;
};

/// The runs of an encoder on a benchmark, and the AUROC of each run in each bootstrap sample.
struct Runs {
  std::map<std::string, std::uint32_t> clusters;
  std::set<std::uint32_t> with_id, with_ood;
  /// Index in `scores` and `drawn`. The first key is the variant, and the second key is the pair of data seed
  /// and seed.
  std::map<std::string, std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t>> places;
  std::vector<std::vector<Scored>> scores;  ///< ascending
  std::vector<std::vector<float>>
      drawn;  ///< AUROC in each bootstrap sample; NaN if the sample has no ID or no OOD molecules
};

void add_side(Runs& runs, std::vector<Scored>& all, const std::vector<float>& scores,
              const std::vector<std::string>& clusters, bool is_ood) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(runs.clusters.size());
    const std::uint32_t cluster = runs.clusters.emplace(clusters.at(i), number).first->second;
    (is_ood ? runs.with_ood : runs.with_id).insert(cluster);
    all.push_back({scores[i], cluster, is_ood});
  }
}

/// AUROC with a weight for each cluster. Ties count one half.
float weighted_auroc(const std::vector<Scored>& ascending, const std::vector<std::uint32_t>& weights) {
  double id_below = 0, ood_all = 0, wins = 0;
  for (std::size_t first = 0; first < ascending.size();) {
    std::uint64_t id = 0, ood = 0;
    const float score = ascending[first].score;
    for (; first < ascending.size() && ascending[first].score == score; ++first) {
      (ascending[first].is_ood ? ood : id) += weights[ascending[first].cluster];
    }
    wins += static_cast<double>(ood) * (id_below + 0.5 * static_cast<double>(id));
    id_below += static_cast<double>(id);
    ood_all += static_cast<double>(ood);
  }
  return static_cast<float>(wins / (id_below * ood_all));
}

void draw(Runs& runs) {
  std::mt19937_64 random(0);
  runs.drawn.assign(runs.scores.size(), std::vector<float>(kDrawings));
  std::vector<std::uint32_t> weights(runs.clusters.size());
  for (std::size_t drawing = 0; drawing < kDrawings; ++drawing) {
    std::fill(weights.begin(), weights.end(), 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      ++weights[random() % weights.size()];
    }
    for (std::size_t run = 0; run < runs.scores.size(); ++run) {
      runs.drawn[run][drawing] = weighted_auroc(runs.scores[run], weights);
    }
  }
}

/// Returns the indices of the runs of both variants with equal seeds, grouped by data seed. Returns an empty
/// map if a run of the comparison has no scores.
std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> shared_runs(
    const Runs& runs, const Comparison& comparison) {
  std::map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> shared;
  const auto first = runs.places.find(comparison.first), second = runs.places.find(comparison.second);
  if (first == runs.places.end() || second == runs.places.end()) {
    return shared;
  }
  std::size_t pairs = 0;
  for (const auto& [seeds, place] : first->second) {
    const auto other = second->second.find(seeds);
    if (other != second->second.end()) {
      shared[seeds.first].emplace_back(place, other->second);
      ++pairs;
    }
  }
  if (pairs != comparison.pairs) {
    shared.clear();
  }
  return shared;
}

std::optional<BootstrapDifference> bootstrap_of(const Runs& runs, const Comparison& comparison) {
  const auto shared = shared_runs(runs, comparison);
  if (shared.empty() || runs.with_id.size() < 2 || runs.with_ood.size() < 2) {
    return std::nullopt;
  }
  std::vector<double> differences;
  for (std::size_t drawing = 0; drawing < kDrawings; ++drawing) {
    double difference = 0;
    for (const auto& [data_seed, places] : shared) {
      double of_data_seed = 0;
      for (const auto& [first, second] : places) {
        of_data_seed += static_cast<double>(runs.drawn[first][drawing]) -
                        static_cast<double>(runs.drawn[second][drawing]);
      }
      difference += of_data_seed / static_cast<double>(places.size());
    }
    if (std::isfinite(difference)) {
      differences.push_back(difference / static_cast<double>(shared.size()));
    }
  }
  if (differences.size() < kDrawings / 2) {
    return std::nullopt;  // most samples have no ID or no OOD molecules
  }
  std::sort(differences.begin(), differences.end());
  const auto count = static_cast<double>(differences.size());
  const double mean = std::accumulate(differences.begin(), differences.end(), 0.0) / count;
  double squares = 0;
  for (const double difference : differences) {
    squares += (difference - mean) * (difference - mean);
  }
  const double deviation = std::sqrt(squares / (count - 1));
  BootstrapDifference result;
  result.id_scaffolds = runs.with_id.size();
  result.ood_scaffolds = runs.with_ood.size();
  result.low = differences[static_cast<std::size_t>(0.025 * count)];
  result.high = differences[static_cast<std::size_t>(std::ceil(0.975 * count)) - 1];
  if (comparison.mean_difference != 0) {
    result.p_value = deviation > 0 ? normal_p_value(comparison.mean_difference / deviation) : 0;
  }
  return result;
}

}  // namespace

void add_bootstrap(std::vector<Comparison>& comparisons, const std::vector<CellOutcome>& outcomes,
                   const ReadTestScores& read) {
  using Place = std::pair<std::string, std::string>;
  std::map<Place, std::vector<Comparison*>> wanted;
  for (Comparison& comparison : comparisons) {
    wanted[{comparison.benchmark, comparison.encoder}].push_back(&comparison);
  }
  for (const auto& [place, own] : wanted) {
    Runs runs;
    std::vector<const Cell*> cells;
    for (const CellOutcome& outcome : outcomes) {
      if (outcome.ended.result && Place(outcome.cell.benchmark, outcome.cell.encoder) == place) {
        cells.push_back(&outcome.cell);
      }
    }
    if (cells.size() > kMaxRuns) {
      log_info("{}, {}: has {} runs, too many for the bootstrap over test molecules", place.first,
               place.second, cells.size());
      continue;
    }
    for (const Cell* const cell : cells) {
      if (const auto scores = read(*cell)) {
        std::vector<Scored> all;
        add_side(runs, all, scores->id, scores->id_clusters, false);
        add_side(runs, all, scores->ood, scores->ood_clusters, true);
        std::sort(all.begin(), all.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
        runs.places[cell->variant()][{cell->data_seed, cell->seed}] = runs.scores.size();
        runs.scores.push_back(std::move(all));
      }
    }
    draw(runs);
    for (Comparison* const comparison : own) {
      comparison->bootstrap = bootstrap_of(runs, *comparison);
    }
  }
  std::vector<double> p_values;
  for (const Comparison& comparison : comparisons) {
    if (comparison.bootstrap) {
      p_values.push_back(comparison.bootstrap->p_value);
    }
  }
  const std::vector<double> corrected = holm_corrected(p_values);
  std::size_t next = 0;
  for (Comparison& comparison : comparisons) {
    if (comparison.bootstrap) {
      comparison.bootstrap->p_holm = corrected[next++];
    }
  }
}

}  // namespace molgauge::matrix
