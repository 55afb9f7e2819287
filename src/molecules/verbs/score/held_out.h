#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molecules/ood/metrics/score_calibration.h"
#include "molgauge/validation_test_gap.h"

namespace molgauge::verbs {

/// Scores of molecules that the run was not trained on.
struct HeldOutScores {
  std::vector<float> id = {};                   ///< scores of ID molecules. Empty if unknown
  std::vector<float> ood = {};                  ///< scores of OOD molecules. Empty if the run has none
  std::optional<ood::PlattScaling> platt = {};  ///< fitted if there are scores of both sides
  std::vector<std::vector<float>> id_of_seeds =
      {};                                     ///< for a run over several seeds, the scores of each seed
  std::optional<ValidationTestGap> gap = {};  ///< gap of an energy run, if its test molecules were scored
  std::string why_none = {};                  ///< reason why `id` is empty, as a sentence without a full stop
  /// The level of `outside` of a saved domain. Not set for a trained run.
  std::optional<double> domain_level = {};
};

/// Reads a run folder of `molgauge train`. Throws InputError with the file name if a file is damaged.
HeldOutScores held_out_of_head(const std::string& run);

/// Reads a folder of `molgauge train --seeds`: the mean scores over the seeds, and the scores of each seed.
/// Throws the errors of held_out_of_head(), and InputError if a seed has no scores.
HeldOutScores held_out_of_seeds(const std::string& run, const std::vector<std::uint64_t>& seeds);

/// Returns a warning if the gap between validation and test AUROC is large, otherwise an empty text.
std::string warning_of(const HeldOutScores& held_out);

}  // namespace molgauge::verbs
