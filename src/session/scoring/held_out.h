#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ood/metrics/score_calibration.h"

namespace headroom::session {

/// What a run knows of scores of molecules that it was not trained on.
struct HeldOutScores {
  std::vector<float> id = {};                   ///< in distribution; empty: not known
  std::vector<float> ood = {};                  ///< out of distribution; empty: the run has none
  std::optional<ood::PlattScaling> platt = {};  ///< where there are scores of both sides
  std::vector<std::vector<float>> id_of_seeds =
      {};                     ///< of a run over several seeds, in the order of its scores
  std::string why_none = {};  ///< a sentence without its end, where `id` is empty
};

/// Of a run folder of `headroom train`. Throws InputError naming the file when it is damaged.
HeldOutScores held_out_of_head(const std::string& run);

/// Of a folder of `headroom train --seeds`, for the mean of the seeds' scores and for each of them. Throws
/// InputError as held_out_of_head() does, and where a seed has none.
HeldOutScores held_out_of_seeds(const std::string& run, const std::vector<std::uint64_t>& seeds);

/// What a folder holds that `headroom score` takes.
enum class RunKind {
  saved_domain,  ///< of `headroom domain --save`
  baselines,     ///< of `headroom baseline`, or a baseline's run of a matrix
  seeds,         ///< of `headroom train --seeds`
  python,        ///< a training of the Python project
  head           ///< of `headroom train`, or an energy head's run of a matrix; or no run at all
};
/// Throws UsageError where `method` names a baseline and the folder holds none.
RunKind kind_of_run(const std::string& run, const std::string& method);

inline constexpr const char* kPythonKeepsNone =
    "a run of the Python project keeps no scores of held-out molecules";
inline constexpr const char* kEnergyScore = "energy_score";
inline constexpr const char* kDomainScore = "domain_distance";
/// The column that holds a baseline's scores: "knn_score".
std::string score_name_of(const std::string& method);

/// What a run knows, read without opening its encoder.
struct KnownScores {
  RunKind kind = RunKind::head;
  std::string score_name;  ///< of the column that the run's scores have
  HeldOutScores held_out;
};
/// `method`: of a folder of baselines; empty: the only one. Throws as open_run_scorer() does.
KnownScores read_known_scores(const std::string& run, const std::string& method);

}  // namespace headroom::session
