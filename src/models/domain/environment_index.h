#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/domain/environment_lists.h"

namespace headroom::domain {

/// The index that means that no molecule is excluded from the comparison.
inline constexpr std::size_t kNoMolecule = std::numeric_limits<std::size_t>::max();

/// Number of nearest training molecules that are shown with a candidate.
inline constexpr std::size_t kNearestShown = 3;

/// A training molecule that is near a candidate.
struct Neighbour {
  std::uint32_t molecule = 0;
  float distance = 0;  ///< 1 - cosine for features, 1 - Tanimoto for environments
};

/// Distances of a molecule to the reference molecules, computed from its environments. 0 is nearest, 1
/// farthest.
struct EnvironmentScores {
  float tanimoto = 1;  ///< 1 - the largest Tanimoto similarity of counts
  /// 1 - the mean of the k largest weighted Tanimoto similarities of sets of environments (without counts).
  /// If d of n reference molecules have an environment, its weight is ln((n + 1) / (d + 1/2)) / ln((n + 1) /
  /// (1/2)), and at least 0. The weight is 1 for d = 0, and about 0 for d = n.
  float rarity = 1;
  /// 1 - the mean of the k largest shares. The share of a reference molecule is the fraction of the
  /// environments of the query that the reference molecule has, too.
  float coverage = 1;
  /// The nearest of all molecules by Tanimoto, nearest first, including molecules outside of the reference.
  std::array<Neighbour, kNearestShown> nearest{};
  std::size_t nearest_count = 0;
};

struct EnvironmentQuery {
  std::span<const Environment> environments;
  std::size_t left_out =
      kNoMolecule;  ///< a molecule to exclude from the comparison, such as the query itself
};

/// An index of all molecules of a training set by their environments. Some of the molecules are the
/// reference.
///
/// Memory: 8 bytes for each environment of each molecule. Thread safety: const methods may be called from
/// several threads at once.
class EnvironmentIndex {
 public:
  /// `in_reference` [molecules.size()]. At least one is true. `k`: number of similarities in each mean.
  EnvironmentIndex(const EnvironmentLists& molecules, const std::vector<bool>& in_reference, std::size_t k);

  /// Returns one result for each query. A result does not depend on the other queries. A call with many
  /// queries is faster, because the lists of some molecules stay in the CPU cache for all queries.
  std::vector<EnvironmentScores> compare(std::span<const EnvironmentQuery> queries) const;

 private:
  struct Posting {
    std::uint32_t molecule, count;
  };
  struct List {
    std::size_t first = 0, last = 0;
    std::uint32_t weight = 0;
  };
  class Query;
  struct Block;
  struct Comparison;
  /// Computes the similarities of a block from its sums.
  void compare(const Query& query, std::size_t first, std::size_t count, Block& block) const;
  void take_nearer(const Block& block, std::size_t first, std::size_t count, Comparison& comparison) const;

  std::size_t k_, size_;
  std::vector<bool> in_reference_;
  std::unordered_map<std::uint32_t, List> lists_;
  std::vector<Posting> postings_;
  std::vector<std::uint32_t> counts_, weights_;  ///< sums over the environments of each molecule
};

}  // namespace headroom::domain
