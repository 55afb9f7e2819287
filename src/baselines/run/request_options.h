#pragma once

#include "baselines/classifier/classifier_trainer.h"
#include "baselines/detectors/methods.h"
#include "headroom/baseline.h"

namespace headroom::baselines {

/// How classifiers are trained for a request, and with which options its methods score. Throw UsageError when
/// an option is unknown or out of range.
ClassifierOptions classifier_options(const BaselineRequest& request, ObjectiveKind objective);
MethodOptions method_options(const BaselineRequest& request);

/// The methods that a request asks for; of "all" those that can learn its labels (measured values have no
/// positives, so that AUC maximisation cannot). Throws UsageError for an unknown method, and for a single one
/// that cannot.
std::vector<std::string> methods_of(const BaselineRequest& request);

/// Whether half of the validation molecules are kept from choosing the classifier ("held-out", not
/// "validation"). Throws UsageError on another text.
bool holds_out_calibration(const BaselineRequest& request);

}  // namespace headroom::baselines
