#include "pockets/retrieval/ranking.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "pockets/graphs/graph_set.h"

namespace molgauge::pocket {
namespace {

constexpr std::size_t kBestShown = 5;

double percent(std::size_t part, std::size_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

double RankedPocket::reciprocal_rank() const {
  double sum = 0;
  for (std::size_t place = nearer + 1; place <= nearer + tied; ++place) {
    sum += 1 / static_cast<double>(place);
  }
  return sum / static_cast<double>(tied);
}

double RankedPocket::found_among(std::size_t k) const {
  return k <= nearer ? 0 : static_cast<double>(std::min(k - nearer, tied)) / static_cast<double>(tied);
}

RankedPocket rank_ligand(const std::string& pocket, const float* row, std::size_t truth,
                         const io::KeyedRows& library, PocketMetric metric) {
  std::vector<double> distances;
  distances_to(row, library, metric, distances);
  const double own = distances[truth];
  std::size_t nearer = 0, tied = 0, tied_before = 0;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    nearer += distances[i] < own ? 1 : 0;
    tied += distances[i] == own ? 1 : 0;
    tied_before += distances[i] == own && i < truth ? 1 : 0;
  }
  const std::size_t before = nearer + tied_before;
  RankedPocket ranked{.pocket = pocket,
                      .ligand = library.keys[truth],
                      .complex = complex_of(pocket),
                      .rank = before + 1,
                      .normalized_rank = 0,
                      .distance = own,
                      .nearer = nearer,
                      .tied = tied,
                      .best = {}};
  if (library.keys.size() > 1) {
    ranked.normalized_rank = static_cast<double>(before) / static_cast<double>(library.keys.size() - 1);
  }
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t shown = std::min(kBestShown, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
                    });
  for (std::size_t i = 0; i < shown; ++i) {
    ranked.best.push_back({i + 1, library.keys[order[i]], distances[order[i]]});
  }
  return ranked;
}

std::size_t ligands_in(double percentage, std::size_t ligands) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(ligands) * percentage / 100));
}

RetrievalFigures figures_by_complex(const std::vector<RankedPocket>& ranked, std::size_t ligands,
                                    const std::vector<std::size_t>& recall_k,
                                    const std::vector<double>& percentages) {
  std::map<std::string, std::vector<const RankedPocket*>> complexes;
  for (const RankedPocket& pocket : ranked) {
    complexes[pocket.complex].push_back(&pocket);
  }
  const auto average = [&](const auto& figure) {
    double sum = 0;
    for (const auto& [complex, pockets] : complexes) {
      double own = 0;
      for (const RankedPocket* const pocket : pockets) {
        own += figure(*pocket);
      }
      sum += own / static_cast<double>(pockets.size());
    }
    return complexes.empty() ? 0 : sum / static_cast<double>(complexes.size());
  };
  const auto found_percent = [&](std::size_t k) {
    return 100 * average([&](const RankedPocket& pocket) { return pocket.found_among(k); });
  };
  RetrievalFigures figures;
  figures.pockets = ranked.size();
  figures.complexes = complexes.size();
  figures.mean_rank = average([](const RankedPocket& pocket) { return pocket.mid_rank(); });
  figures.mean_normalized_rank =
      ligands > 1 && !ranked.empty() ? (figures.mean_rank - 1) / static_cast<double>(ligands - 1) : 0;
  figures.mrr = average([](const RankedPocket& pocket) { return pocket.reciprocal_rank(); });
  figures.top1_percent = found_percent(1);
  for (const std::size_t k : recall_k) {
    figures.recall_percent.push_back(found_percent(k));
  }
  for (const double percentage : percentages) {
    figures.hit_percent.push_back(found_percent(ligands_in(percentage, ligands)));
  }
  return figures;
}

RankStatistics statistics_of(std::vector<double> numbers) {
  RankStatistics statistics;
  if (numbers.empty()) {
    return statistics;
  }
  std::sort(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  const std::size_t middle = numbers.size() / 2;
  statistics.mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  statistics.median = numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
  statistics.least = numbers.front();
  statistics.most = numbers.back();
  double squares = 0;
  for (const double number : numbers) {
    squares += (number - statistics.mean) * (number - statistics.mean);
  }
  statistics.deviation = std::sqrt(squares / count);
  return statistics;
}

double mean_reciprocal_rank(const std::vector<RankedPocket>& ranked) {
  double sum = 0;
  for (const RankedPocket& pocket : ranked) {
    sum += 1 / static_cast<double>(pocket.rank);
  }
  return ranked.empty() ? 0 : sum / static_cast<double>(ranked.size());
}

RecallAt recall_at(const std::vector<RankedPocket>& ranked, std::size_t k) {
  const auto hits = static_cast<std::size_t>(std::count_if(
      ranked.begin(), ranked.end(), [&](const RankedPocket& pocket) { return pocket.rank <= k; }));
  return {k, hits, ranked.size(), percent(hits, ranked.size())};
}

HitRate hit_rate(const std::vector<RankedPocket>& ranked, double percentage, std::size_t ligands) {
  const std::size_t k = ligands_in(percentage, ligands);
  const RecallAt recall = recall_at(ranked, k);
  const double by_chance = percent(std::min(k, ligands), ligands);
  return {percentage,     k,
          recall.hits,    recall.total - recall.hits,
          recall.percent, by_chance > 0 ? recall.percent / by_chance : 0};
}

double random_reciprocal_rank(std::size_t ligands) {
  double sum = 0;
  for (std::size_t rank = 1; rank <= ligands; ++rank) {
    sum += 1 / static_cast<double>(rank);
  }
  return ligands == 0 ? 0 : sum / static_cast<double>(ligands);
}

}  // namespace molgauge::pocket
