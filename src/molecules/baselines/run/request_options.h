#pragma once

#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molecules/baselines/detectors/methods.h"
#include "molgauge/baseline.h"

namespace molgauge::baselines {

/// The options for the classifiers and the methods of a request. Both functions throw UsageError when an
/// option is unknown or out of range.
ClassifierOptions classifier_options(const BaselineRequest& request, ObjectiveKind objective);
MethodOptions method_options(const BaselineRequest& request);

/// Returns the methods of a request. "all" gives the methods that can learn its labels. AUC maximisation
/// cannot learn measured values, because they have no positive class. Throws UsageError for an unknown
/// method, and for a named method that cannot learn the labels.
std::vector<std::string> methods_of(const BaselineRequest& request);

/// True for "held-out": half of the validation molecules are used only for calibration. False for
/// "validation": all of them are used for calibration and for choosing the classifier.
bool holds_out_calibration(const BaselineRequest& request);

/// Throws UsageError for a method that is trained on OOD molecules, because `molgauge baseline` has none.
void require_without_ood(const BaselineRequest& request);

}  // namespace molgauge::baselines
