#pragma once

#include <filesystem>
#include <vector>

namespace headroom::report {

struct PairGroupWeights {
  double share = 0, mean_weight = 0;
};

struct PairBinWeights {
  double centre = 0;           ///< energy at the centre of the bin
  double share = 0;            ///< share of the sampled pairs
  double mean_weight = 0;      ///< not a number in a bin without pairs
  double share_of_weight = 0;  ///< share of the sum of all pairs' weights
};

/// The content of hard_pair_validation.json (models/ood/losses/hard_pairs.h).
struct PairWeights {
  double beta = 0, pairs = 0, hard_share_of_weight = 0;
  PairGroupWeights hard, easy, boundary;
  std::vector<PairBinWeights> bins;
};

/// Throws InputError naming the file when it is damaged.
PairWeights read_pair_weights(const std::filesystem::path& file);

}  // namespace headroom::report
