#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molgauge/pocket_search.h"
#include "pockets/retrieval/search.h"

namespace molgauge::pocket {

/// The rank of the true ligand of a pocket in a library.
struct RankedPocket {
  std::string pocket, ligand;
  std::string complex;         ///< complex of the pocket, because models of one complex are not independent
  std::size_t rank = 0;        ///< rank, from 1. The order of the library breaks ties
  double normalized_rank = 0;  ///< (rank - 1) / (ligands - 1)
  double distance = 0;
  std::size_t nearer = 0;         ///< number of ligands that are strictly nearer
  std::size_t tied = 1;           ///< ligands that have this distance, including the true ligand
  std::vector<PocketMatch> best;  ///< the five nearest

  /// The mean rank of all ligands that have the distance of the true ligand.
  double mid_rank() const { return static_cast<double>(nearer) + (static_cast<double>(tied) + 1) / 2; }
  /// The mean of 1 / rank over all orders of the tied ligands.
  double reciprocal_rank() const;
  /// The probability that the rank is at most k in a random order of the tied ligands.
  double found_among(std::size_t k) const;
};

/// A pocket whose true ligand cannot be ranked, and why.
struct UnrankedPocket {
  std::string pocket, reason;
};

/// Ranks all rows of the library by their distance to `row`, and returns the rank of the row `truth`.
/// `pocket`: name of the pocket, which contains the name of the complex.
RankedPocket rank_ligand(const std::string& pocket, const float* row, std::size_t truth,
                         const io::KeyedRows& library, PocketMetric metric);

/// Computes retrieval metrics in which each complex counts once: they are averaged over the pockets of a
/// complex, then over the complexes. mid_rank(), reciprocal_rank() and found_among() handle ties. An encoder
/// that gives all ligands the same distance therefore gets the metrics of a random order. All metrics are 0
/// if `ranked` is empty.
RetrievalFigures figures_by_complex(const std::vector<RankedPocket>& ranked, std::size_t ligands,
                                    const std::vector<std::size_t>& recall_k,
                                    const std::vector<double>& percentages);

/// The number of ligands in this percentage of a library, rounded down, and at least 1.
std::size_t ligands_in(double percentage, std::size_t ligands);

// The functions below follow the Python project: each pocket counts once, and `rank` breaks ties.

/// Means over ranked pockets. All are 0 if there are no ranked pockets.
struct RankStatistics {
  double mean = 0, median = 0, least = 0, most = 0, deviation = 0;  ///< population deviation
};
RankStatistics statistics_of(std::vector<double> numbers);

double mean_reciprocal_rank(const std::vector<RankedPocket>& ranked);
/// Share of the pockets whose ligand is among the first k.
RecallAt recall_at(const std::vector<RankedPocket>& ranked, std::size_t k);
/// Returns recall_at() for a percentage of the library, and the enrichment: this recall divided by the recall
/// of a random order.
HitRate hit_rate(const std::vector<RankedPocket>& ranked, double percentage, std::size_t ligands);
/// The mean of 1 / rank in a random order.
double random_reciprocal_rank(std::size_t ligands);

}  // namespace molgauge::pocket
