#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "molecules/baselines/detectors/detector.h"
#include "molecules/baselines/detectors/logit_detectors.h"
#include "molecules/baselines/detectors/neighbour_detectors.h"
#include "molecules/baselines/detectors/readout.h"

namespace molgauge::baselines {

/// The names of the twelve baselines that are not trained on OOD molecules, in the order of the tables: msp,
/// odin, energy, mahalanobis, knn, lof, mc_dropout, conformal, dam_msp, dam_energy, raw_mahalanobis, raw_knn.
/// The last two read the features themselves. They need neither a classifier nor labels.
const std::vector<std::string>& method_names();

/// All names, including methods that are not among the twelve baselines:
/// - dam_msp_two_outputs and dam_energy_two_outputs match dam_msp and dam_energy of the Python project, which
///   also read the untrained output if there are two classes.
/// - ood_classifier has one output that distinguishes train_ood from train_id.
/// - outlier_exposure is a classifier of the labels that is also trained to give uniform probabilities for
///   train_ood. Its score is the score of msp.
/// - logistic_regression distinguishes train_ood from train_id by a linear model of the features.
/// The last three methods use the OOD molecules that energy heads use, and are available only in experiment
/// matrices.
const std::vector<std::string>& all_method_names();

/// The method of this name, or the twelve methods for "all". Throws UsageError for an unknown name.
std::vector<std::string> methods_of(const std::string& method);

/// The objective of the classifier, or nothing if the method has no classifier. The four methods of DAM
/// maximise the AUC.
std::optional<ObjectiveKind> objective_of(const std::string& method);

/// Whether the method is trained on OOD molecules as well.
bool trains_on_ood(const std::string& method);
/// Whether the method learns to distinguish OOD from ID molecules, in place of the labels of the benchmark.
bool learns_ood(const std::string& method);
/// Whether the method needs the labels of the benchmark.
bool reads_labels(const std::string& method);

struct MethodOptions {
  OdinOptions odin;
  NeighbourOptions knn;
  NeighbourOptions lof{.neighbours = 20};
  McDropoutOptions mc_dropout;
};

/// Makes the detector of a method. The classifier must have been trained with objective_of(method). It is
/// null if the method has no classifier.
std::unique_ptr<Detector> make_detector(const std::string& method, const TrainedClassifier& model,
                                        const MethodOptions& options);
/// Makes the detector of a method without a classifier.
std::unique_ptr<Detector> make_detector(const std::string& method, const MethodOptions& options);

}  // namespace molgauge::baselines
