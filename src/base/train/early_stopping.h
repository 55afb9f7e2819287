#pragma once

#include <cstddef>
#include <limits>

#include "molgauge/choices.h"

namespace molgauge::train {

/// Follows the validation score, for example the AUROC. Decides which evaluation is the best so far, and when
/// to stop.
class EarlyStopping {
 public:
  /// The state that a resumed training needs.
  struct State {
    double best = -std::numeric_limits<double>::infinity();
    std::size_t counter = 0;
    bool gained_in_epoch = false;
  };

  EarlyStopping(EarlyStoppingRule rule, std::size_t patience) : rule_(rule), patience_(patience) {}

  /// Reports an evaluation within an epoch. Returns true if it is strictly better than all earlier
  /// evaluations.
  bool observe_mid_epoch(double auroc);
  /// Reports the evaluation at the end of an epoch, and counts it for early stopping. Returns true if it is
  /// strictly better than all earlier evaluations.
  bool observe_epoch(double auroc);
  bool should_stop() const { return state_.counter >= patience_; }

  const State& state() const { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  EarlyStoppingRule rule_;
  std::size_t patience_;
  State state_;
};

}  // namespace molgauge::train
