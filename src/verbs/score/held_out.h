#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headroom/validation_test_gap.h"
#include "models/ood/metrics/score_calibration.h"

namespace headroom::session {

/// Scores of molecules that the run was not trained on.
struct HeldOutScores {
  std::vector<float> id = {};                   ///< scores of in-distribution molecules; empty: unknown
  std::vector<float> ood = {};                  ///< scores of OOD molecules; empty: the run has none
  std::optional<ood::PlattScaling> platt = {};  ///< fitted if there are scores of both sides
  std::vector<std::vector<float>> id_of_seeds =
      {};                                     ///< for a run over several seeds, the scores of each seed
  std::optional<ValidationTestGap> gap = {};  ///< gap of an energy run, if its test molecules were scored
  std::string why_none = {};  ///< why there are no scores: a sentence without a full stop, if `id` is empty
  /// The level of `outside` of a saved domain. None: a trained run.
  std::optional<double> domain_level = {};
};

/// Reads a run folder of `headroom train`. Throws InputError naming the file when it is damaged.
HeldOutScores held_out_of_head(const std::string& run);

/// Reads a folder of `headroom train --seeds`: the mean scores over the seeds, and the scores of each seed.
/// Throws the errors of held_out_of_head(), and InputError if a seed has no scores.
HeldOutScores held_out_of_seeds(const std::string& run, const std::vector<std::uint64_t>& seeds);

/// A warning about a large gap between validation and test, or empty.
std::string warning_of(const HeldOutScores& held_out);

}  // namespace headroom::session
