#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace headroom::train {

enum class EarlyStoppingRule {
  /// Stop after `patience` epochs in a row without a gain, whether the gain came in mid-epoch or at its end.
  /// An
  /// AUROC that is NaN is no gain.
  plain,
  /// The published Python program's: after an epoch's last evaluation the counter is raised whenever the
  /// AUROC
  /// is at most the best (which that epoch may just have set) + 1e-12, so a gain sets it to 1, not to 0; a
  /// gain
  /// in mid-epoch does not reset it; NaN leaves it alone.
  reference,
};

/// "plain", "reference"; throws UsageError on another name.
EarlyStoppingRule parse_early_stopping(const std::string& name);
std::string to_string(EarlyStoppingRule rule);

/// Follows the validation AUROC: which evaluation is the best so far, and when to stop.
class EarlyStopping {
 public:
  /// Everything that a resumed training needs.
  struct State {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t counter = 0;
    bool gained_in_epoch = false;
  };

  EarlyStopping(EarlyStoppingRule rule, std::size_t patience) : rule_(rule), patience_(patience) {}

  /// An evaluation within an epoch. True when it is strictly better than every one before.
  bool observe_mid_epoch(double auroc);
  /// The evaluation that ends an epoch; the same, and counts.
  bool observe_epoch(double auroc);
  bool should_stop() const { return state_.counter >= patience_; }

  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  EarlyStoppingRule rule_;
  std::size_t patience_;
  State state_;
};

}  // namespace headroom::train
