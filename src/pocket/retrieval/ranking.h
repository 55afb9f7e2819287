#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headroom/pocket_search.h"
#include "pocket/retrieval/search.h"

namespace headroom::pocket {

/// Where the true ligand of a pocket stands in a library.
struct RankedPocket {
  std::string pocket, ligand;
  std::size_t rank = 0;        ///< from 1
  double normalized_rank = 0;  ///< (rank - 1) / (ligands - 1)
  double distance = 0;
  std::vector<PocketMatch> best;  ///< the five nearest
};

/// A pocket whose true ligand cannot be ranked, and why.
struct UnrankedPocket {
  std::string pocket, reason;
};

/// The place of row `truth` of the library among all rows by their distance; rows of equal distance in the
/// order of the library.
RankedPocket rank_ligand(const std::string& pocket, const float* row, std::size_t truth,
                         const io::KeyedRows& library, Metric metric);

/// Means over ranked pockets; all 0 where there are none.
struct RankStatistics {
  double mean = 0, median = 0, least = 0, most = 0, deviation = 0;  ///< population deviation
};
RankStatistics statistics_of(std::vector<double> numbers);

double mean_reciprocal_rank(const std::vector<RankedPocket>& ranked);
/// Share of the pockets whose ligand is among the first k.
RecallAt recall_at(const std::vector<RankedPocket>& ranked, std::size_t k);
/// The same for k = max(1, a percentage of the library), and how many times more hits there are than a random
/// order would have on average.
HitRate hit_rate(const std::vector<RankedPocket>& ranked, double percentage, std::size_t ligands);
/// The mean of 1 / rank of a random order.
double random_reciprocal_rank(std::size_t ligands);

}  // namespace headroom::pocket
