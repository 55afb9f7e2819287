#pragma once

#include <optional>
#include <string>
#include <vector>

#include "molecules/verbs/score/run_scorer.h"

namespace molgauge::verbs {

/// Compares the scores of a molecule with the held-out molecules of the run.
class OodVerdict {
 public:
  /// Determines the threshold. `asked`: the requested threshold. Without a requested threshold, a fraction
  /// `id_recall` of the held-out molecules has scores at or below the threshold. For a saved domain,
  /// molecules with a p-value of at most 1 - `id_recall` exceed the threshold. If there are no held-out
  /// molecules either, there is no threshold. Throws InputError if a run over several seeds lacks the scores
  /// of held-out molecules.
  OodVerdict(const std::optional<double>& asked, double id_recall, const HeldOutScores& held_out);

  std::optional<double> threshold() const { return threshold_; }
  bool is_asked_for() const { return is_asked_for_; }
  /// The p-value, among the held-out molecules, of a score just above the threshold. Undefined for a
  /// requested threshold.
  double level() const { return level_; }
  /// The largest p-value for which a molecule is `outside`. It is at most level(). Undefined for a requested
  /// threshold.
  double outside_level() const { return outside_level_; }
  /// A sentence about the origin of the threshold, or the reason why it is missing.
  const std::string& origin() const { return origin_; }
  bool has_resemblance() const { return platt_.has_value(); }

  /// Fills in all fields of a molecule that depend on its scores. `of_seeds`: one score for each seed.
  void judge(const std::vector<float>& of_seeds, ScoredMolecule& molecule) const;

 private:
  std::optional<double> threshold_;
  bool is_asked_for_ = false;
  double level_ = 0, outside_level_ = 0;
  std::string origin_;
  std::optional<ood::PlattScaling> platt_;
  std::vector<double> thresholds_, centres_;  ///< a number for each seed, if there are several seeds
};

}  // namespace molgauge::verbs
