#pragma once

#include <memory>
#include <string>
#include <vector>

#include "baselines/detectors/detector.h"
#include "baselines/detectors/logit_detectors.h"
#include "baselines/detectors/neighbour_detectors.h"
#include "baselines/detectors/readout.h"

namespace headroom::baselines {

/// The ten baselines by name, in the order in which tables list them: msp, odin, energy, mahalanobis, knn,
/// lof, mc_dropout, conformal, dam_msp, dam_energy.
const std::vector<std::string>& method_names();

/// The methods that `method` names: itself, or all of them for "all". Throws UsageError for an unknown one.
std::vector<std::string> methods_of(const std::string& method);

/// The objective that the method's classifier needs: dam_msp and dam_energy maximise the AUC.
ObjectiveKind objective_of(const std::string& method);

struct MethodOptions {
  OdinOptions odin;
  NeighbourOptions knn;
  NeighbourOptions lof{.neighbours = 20};
  McDropoutOptions mc_dropout;
};

/// Makes the method for a classifier that was trained for objective_of(method).
std::unique_ptr<Detector> make_detector(const std::string& method, const TrainedClassifier& model,
                                        const MethodOptions& options);

}  // namespace headroom::baselines
