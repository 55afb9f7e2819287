#include "base/train/early_stopping.h"

namespace molgauge::train {

bool EarlyStopping::observe_mid_epoch(double auroc) {
  if (!(auroc > state_.best)) {
    return false;
  }
  state_.best = auroc;
  state_.gained_in_epoch = true;
  return true;
}

bool EarlyStopping::observe_epoch(double auroc) {
  const bool gained = observe_mid_epoch(auroc);
  if (rule_ == EarlyStoppingRule::plain) {
    state_.counter = state_.gained_in_epoch ? 0 : state_.counter + 1;
  } else {
    if (gained) {
      state_.counter = 0;
    }
    if (auroc <= state_.best + 1e-12) {
      ++state_.counter;
    }
  }
  state_.gained_in_epoch = false;
  return gained;
}

}  // namespace molgauge::train
