#pragma once

#include <filesystem>
#include <vector>

namespace molgauge::report {

struct PairGroupWeights {
  double share = 0, mean_weight = 0;
};

struct PairBinWeights {
  double centre = 0;           ///< energy at the centre of the bin
  double share = 0;            ///< share of the sampled pairs
  double mean_weight = 0;      ///< NaN in a bin without pairs
  double share_of_weight = 0;  ///< weight of the pairs in the bin, as a share of the weight of all pairs
};

/// The content of hard_pair_validation.json (molecules/ood/losses/hard_pairs.h).
struct PairWeights {
  double beta = 0, pairs = 0, hard_share_of_weight = 0;
  PairGroupWeights hard, easy, boundary;
  std::vector<PairBinWeights> bins;
};

/// Throws InputError, which names the file, if the file is damaged.
PairWeights read_pair_weights(const std::filesystem::path& file);

}  // namespace molgauge::report
