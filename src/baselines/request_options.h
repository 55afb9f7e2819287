#pragma once

#include "baselines/classifier_trainer.h"
#include "baselines/methods.h"
#include "headroom/baseline.h"

namespace headroom::baselines {

/// How classifiers are trained for a request, and with which options its methods score. Throw UsageError when
/// an option is unknown or out of range.
ClassifierOptions classifier_options(const BaselineRequest& request, ObjectiveKind objective);
MethodOptions method_options(const BaselineRequest& request);

/// Whether half of the validation molecules are kept from choosing the classifier ("held-out", not
/// "validation"). Throws UsageError on another text.
bool holds_out_calibration(const BaselineRequest& request);

}  // namespace headroom::baselines
