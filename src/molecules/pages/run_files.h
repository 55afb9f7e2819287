#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molecules/pages/number_table.h"
#include "molecules/pages/predictions.h"
#include "molecules/pages/study.h"

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

/// The files in the run folders of a study. A missing or damaged file is recorded once as a gap.
class RunFiles {
 public:
  explicit RunFiles(const Study& study) : study_(study), gaps_(study.gaps) {}

  /// Returns the predictions of a run, or null if it has no readable predictions. Keeps them in memory for
  /// the next call.
  const Predictions* predictions(const matrix::Cell& cell);
  /// Reads training_curve.csv or training_dynamics.csv, if the file has these columns. A missing file is not
  /// a gap, because some methods do not write these files. A damaged file is a gap.
  std::optional<NumberTable> table(const matrix::Cell& cell, const std::string& file,
                                   const std::vector<std::string>& columns);
  /// Reads hard_pair_validation.json. Returns nothing if the file does not exist. Only a damaged file counts
  /// as a gap.
  std::optional<PairWeights> pair_weights(const matrix::Cell& cell);
  /// Reads config.json, training_stats.json or test_metrics.json. Returns an empty object if the file does
  /// not exist.
  nlohmann::ordered_json json(const matrix::Cell& cell, const std::string& file);
  /// Reads matrix_stats.json. Returns an empty object if the matrix was interrupted before it was written.
  nlohmann::ordered_json matrix_stats();

  void add_gap(const std::string& gap);
  const std::vector<std::string>& gaps() const { return gaps_; }

 private:
  const Study& study_;
  std::vector<std::string> gaps_;
  std::map<std::string, std::optional<Predictions>> predictions_;  ///< predictions by run folder
};

}  // namespace molgauge::report
