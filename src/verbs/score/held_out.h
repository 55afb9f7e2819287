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
  std::vector<float> id = {};                   ///< in distribution; empty: not known
  std::vector<float> ood = {};                  ///< out of distribution; empty: the run has none
  std::optional<ood::PlattScaling> platt = {};  ///< where there are scores of both sides
  std::vector<std::vector<float>> id_of_seeds =
      {};                                     ///< of a run over several seeds, in the order of its scores
  std::optional<ValidationTestGap> gap = {};  ///< of an energy run, if its test molecules were scored
  std::string why_none = {};                  ///< a sentence without its end, where `id` is empty
  /// The level of `outside` of a saved domain. None: a trained run.
  std::optional<double> domain_level = {};
};

/// Reads a run folder of `headroom train`. Throws InputError naming the file when it is damaged.
HeldOutScores held_out_of_head(const std::string& run);

/// Reads a folder of `headroom train --seeds`, for the mean of the seeds' scores and for each of them. Throws
/// the errors of held_out_of_head(), and InputError where a seed has no scores.
HeldOutScores held_out_of_seeds(const std::string& run, const std::vector<std::uint64_t>& seeds);

/// A warning about a large gap between validation and test; empty: none.
std::string warning_of(const HeldOutScores& held_out);

/// The kinds of folders that `headroom score` accepts.
enum class RunKind {
  saved_domain,  ///< made by `headroom domain --save`
  baselines,     ///< made by `headroom baseline`, or a baseline's run of a matrix
  seeds,         ///< made by `headroom train --seeds`
  python,        ///< a training of the Python project
  head           ///< made by `headroom train`, or an energy head's run of a matrix; or not a run
};
/// Throws UsageError where `method` names a baseline but the folder is not one of baselines.
RunKind kind_of_run(const std::string& run, const std::string& method);

inline constexpr const char* kPythonKeepsNone =
    "a run of the Python project keeps no scores of held-out molecules";
inline constexpr const char* kEnergyScore = "energy_score";
inline constexpr const char* kDomainScore = "domain_distance";
/// The column of a baseline's scores: "knn_score".
std::string score_name_of(const std::string& method);

/// The facts about a run that can be read without opening its encoder.
struct KnownScores {
  RunKind kind = RunKind::head;
  std::string score_name;  ///< name of the score column
  HeldOutScores held_out;
};
/// `method`: in a folder of baselines; empty: the only one. Throws the errors of open_run_scorer().
KnownScores read_known_scores(const std::string& run, const std::string& method);

}  // namespace headroom::session
