#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace molgauge::ood {

/// Statistics of the pairs of one kind.
struct PairGroup {
  std::size_t count = 0;
  double share = 0;        ///< share of all sampled pairs
  double mean_weight = 0;  ///< 0 for an empty group
};

/// The pairs with a difference in [low, high). The last bin also includes `high`.
struct PairBin {
  double low = 0, high = 0;
  std::size_t count = 0;
  double mean_weight = 0;  ///< 0 for an empty bin
};

/// Statistics that show whether the DPO loss concentrates on hard pairs. A pair of an ID molecule with energy
/// a and an OOD molecule with energy b has the difference d = b - a. Its weight in the gradient is w = beta *
/// sigmoid(-beta * d), the slope of softplus(-beta * d).
struct HardPairs {
  double beta = 0;
  std::size_t pairs = 0;            ///< number of sampled pairs
  double mean_difference = 0;       ///< mean of d
  double mean_weight = 0;           ///< mean of w
  PairGroup hard, easy;             ///< d < 0 (misranked), d > 0
  PairGroup boundary;               ///< |d| < 0.05; these pairs can also be hard or easy
  double hard_share_of_weight = 0;  ///< share of the hard pairs in the sum of all weights
  std::vector<PairBin> bins;        ///< 20 bins of equal width between the 1st and the 99th percentile of d
};

/// Samples `pairs` pairs of test energies with replacement. For each pair, draws the OOD molecule first, then
/// the ID molecule, from random.Random(seed) of Python. Energies must be finite, `id`, `ood` and `pairs` at
/// least 1, and beta above 0.
HardPairs validate_hard_pairs(std::span<const float> id, std::span<const float> ood, double beta,
                              std::size_t pairs, std::uint64_t seed);

/// Writes hard_pair_validation.json of a run folder. Replaces the file atomically.
void write_hard_pairs(const std::filesystem::path& run, const HardPairs& validation);

}  // namespace molgauge::ood
