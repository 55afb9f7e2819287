#pragma once

#include <optional>

#include "molecules/datasets/domain_value.h"
#include "molecules/datasets/good_split.h"
#include "molgauge/split.h"

namespace molgauge::datasets {

/// The rules for a split, which follow from the options of a request.
struct SplitPlan {
  DomainKind domain = DomainKind::scaffold;
  bool drugood = false;
  Shift shift = Shift::covariate;
  std::optional<GoodStyle> style;  ///< if not set, the labels determine the style
};

/// Returns the rules for a request. Throws UsageError if options contradict each other or have no effect.
SplitPlan plan_split(const SplitRequest& request);

}  // namespace molgauge::datasets
