#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "molecules/judging/environment_lists.h"

namespace molgauge::domain {

/// Number of nearest training molecules that are shown with a candidate.
inline constexpr std::size_t kNearestShown = 3;

/// A training molecule that is near a candidate.
struct Neighbour {
  std::uint32_t molecule = 0;
  float distance = 0;  ///< 1 - cosine for features, 1 - Tanimoto for environments
};

/// The molecules that a comparison leaves out: all molecules with the label `own`.
struct Exclusion {
  std::span<const std::uint32_t> labels = {};  ///< [molecules]. If it is empty, no molecule is left out
  std::uint32_t own = 0;

  bool leaves_out(std::size_t molecule) const { return !labels.empty() && labels[molecule] == own; }
};

/// Distances of a molecule to the training molecules, computed from its environments. 0 is nearest, 1
/// farthest.
struct EnvironmentScores {
  float tanimoto = 1;  ///< 1 - the largest Tanimoto similarity of counts
  /// 1 - the mean of the k largest weighted Tanimoto similarities of sets of environments (without counts).
  /// If d of n molecules have an environment, its weight is ln((n + 1) / (d + 1/2)) / ln((n + 1) / (1/2)),
  /// and at least 0. A query that is not a training molecule counts as one more molecule in n and d. A
  /// training molecule and a new molecule are thus treated in the same way.
  float rarity = 1;
  float rarity_of_nearest = 1;  ///< `rarity` with k = 1
  /// 1 - the mean of the k largest shares. The share of a training molecule is the fraction of the
  /// environments of the query that the training molecule has, too.
  float coverage = 1;
  float coverage_of_two = 1;  ///< `coverage` with k = 2
  /// The nearest molecules by Tanimoto, nearest first.
  std::array<Neighbour, kNearestShown> nearest{};
  std::size_t nearest_count = 0;
};

struct EnvironmentQuery {
  std::span<const Environment> environments;
  bool is_member = false;  ///< whether the query is a training molecule
  /// One comparison is made for each exclusion. All queries of a call have the same number of exclusions.
  std::span<const Exclusion> exclusions;
};

/// An index of all molecules of a training set by their environments.
///
/// Memory: 8 bytes for each environment of each molecule. Thread safety: const methods may be called from
/// several threads at once.
class EnvironmentIndex {
 public:
  /// `molecules` has at least one molecule. `k`: number of similarities in each mean.
  EnvironmentIndex(const EnvironmentLists& molecules, std::size_t k);

  /// Returns the results of the exclusions of the first query, then of the second query, and so on. A result
  /// does not depend on the other queries. A call with many queries is faster, because the lists of some
  /// molecules stay in the CPU cache for all queries.
  std::vector<EnvironmentScores> compare(std::span<const EnvironmentQuery> queries) const;

 private:
  struct Posting {
    std::uint32_t molecule, count;
  };
  struct List {
    std::size_t first = 0, last = 0;
    std::uint32_t weight = 0;      ///< weight for training molecules
    std::uint32_t new_weight = 0;  ///< weight for a query that is not a training molecule
  };
  class Query;
  struct Block;
  struct Best;
  /// Computes the similarities of a block from its sums.
  void compare(const Query& query, std::size_t first, std::size_t count, Block& block) const;
  static void take_nearer(const Block& block, std::size_t first, std::size_t count, Best& best);

  std::size_t k_, size_;
  std::unordered_map<std::uint32_t, List> lists_;
  std::vector<Posting> postings_;
  std::vector<std::uint32_t> counts_, weights_;  ///< sums over the environments of each molecule
};

}  // namespace molgauge::domain
