#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/scoring/run_scorer.h"

namespace headroom::session {

/// What the scores of a molecule mean, by the run's held-out molecules.
class OodVerdict {
 public:
  /// The threshold is the one that is asked for, else the one that lets `id_recall` of held-out molecules
  /// pass; none where neither is there. Throws InputError when a run over several seeds lacks the scores of
  /// held-out molecules.
  OodVerdict(const std::optional<double>& asked, double id_recall, const HeldOutScores& held_out);

  std::optional<double> threshold() const { return threshold_; }
  bool is_asked_for() const { return is_asked_for_; }
  /// Conformal p-value that a score just above the threshold has among the held-out molecules. Not for a
  /// threshold that was asked for.
  double level() const { return level_; }
  /// Where the threshold comes from, or why there is none: a sentence.
  const std::string& origin() const { return origin_; }
  bool has_probability() const { return platt_.has_value(); }

  /// Fills in everything that follows from the scores, one a seed.
  void judge(const std::vector<float>& of_seeds, ScoredMolecule& molecule) const;

 private:
  std::optional<double> threshold_;
  bool is_asked_for_ = false;
  double level_ = 0;
  std::string origin_;
  std::optional<ood::PlattScaling> platt_;
  std::vector<double> thresholds_, centres_;  ///< of the seeds, where there are several
};

}  // namespace headroom::session
