#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "molecules/baselines/detectors/methods.h"
#include "molecules/verbs/baseline/baseline_data.h"

namespace molgauge::verbs {

/// Trains the classifier that methods with this objective share. Uses one thread.
struct TrainedForBaselines {
  baselines::Classifier classifier;
  ClassifierReport report;
};
TrainedForBaselines train_for_baselines(const BaselineRequest& request, baselines::ObjectiveKind objective,
                                        const BaselineData& data,
                                        const std::function<void(std::size_t epoch)>& after_epoch);

/// A method that was fitted and applied to the test molecules.
struct MethodScores {
  BaselineResult result;
  std::vector<float> id, ood;
  std::unique_ptr<baselines::Detector> detector;
};

/// Fits a method and scores the test molecules. The classifier of `model` is null if the method has none.
/// `collapsed`: whether the classifier has collapsed. The result
/// contains this flag. Uses request.compute.threads threads.
MethodScores apply_method(const BaselineRequest& request, const std::string& method,
                          const baselines::TrainedClassifier& model, bool collapsed,
                          const BaselineData& data);

}  // namespace molgauge::verbs
