#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/baselines/detectors/detector.h"
#include "models/baselines/detectors/logit_detectors.h"
#include "models/baselines/detectors/neighbour_detectors.h"
#include "models/baselines/detectors/readout.h"

namespace headroom::baselines {

/// The names of the ten baselines, in the order of the tables: msp, odin, energy, mahalanobis, knn, lof,
/// mc_dropout, conformal, dam_msp, dam_energy.
const std::vector<std::string>& method_names();

/// All names, including methods that are not among the ten baselines:
/// - dam_msp_two_outputs and dam_energy_two_outputs match dam_msp and dam_energy of the Python project, which
///   also read the untrained output if there are two classes.
/// - ood_classifier has one output that distinguishes train_ood from train_id.
/// - outlier_exposure is a classifier of the labels that is also trained to give uniform probabilities for
///   train_ood. Its score is the score of msp.
/// The last two methods use the OOD molecules that energy heads use, and are available only in experiment
/// matrices.
const std::vector<std::string>& all_method_names();

/// The method of this name, or the ten methods for "all". Throws UsageError for an unknown name.
std::vector<std::string> methods_of(const std::string& method);

/// The objective of the classifier. The four methods of DAM maximise the AUC.
ObjectiveKind objective_of(const std::string& method);

/// Whether the classifier of the method is trained on OOD molecules as well.
bool trains_on_ood(const std::string& method);

/// Whether the method reads only the outputs that AUC maximisation trains (OutputsRead::trained_by_auc).
bool reads_trained_outputs(const std::string& method);

struct MethodOptions {
  OdinOptions odin;
  NeighbourOptions knn;
  NeighbourOptions lof{.neighbours = 20};
  McDropoutOptions mc_dropout;
};

/// Makes the detector of a method. The classifier must have been trained with objective_of(method).
std::unique_ptr<Detector> make_detector(const std::string& method, const TrainedClassifier& model,
                                        const MethodOptions& options);

}  // namespace headroom::baselines
