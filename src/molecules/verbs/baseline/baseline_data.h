#pragma once

#include <string>
#include <vector>

#include "molecules/baselines/classifier/benchmark_labels.h"
#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molgauge/baseline.h"

namespace molgauge::verbs {

/// The data of baselines, on the CPU.
struct BaselineData {
  baselines::LabelledFeatures train;
  baselines::LabelledFeatures selection;  ///< validation molecules for choosing the classifier
  at::Tensor calibration;                 ///< validation molecules for calibrating p-values
  at::Tensor test_id, test_ood;
  at::Tensor validation_id, validation_ood;  ///< for the validation AUROC. Undefined if it is not measured
};

/// Returns the molecules of a side at the positions `places`.
std::vector<datasets::BenchmarkMolecule> molecules_at(
    const std::vector<std::size_t>& places, const std::vector<datasets::BenchmarkMolecule>& molecules);

/// Returns the labels of the benchmark (benchmark_labels()). If none of the methods reads labels
/// (baselines::reads_labels()), does not read them, and all labels are 0. Such a benchmark needs no labels.
baselines::BenchmarkLabels labels_for(const BaselineRequest& request, const std::vector<std::string>& methods,
                                      const std::vector<datasets::BenchmarkMolecule>& train,
                                      const std::vector<datasets::BenchmarkMolecule>& validation,
                                      const std::string& file);

/// Returns the number of validation molecules that are used to choose the classifier. If `hold_out` is true,
/// all other validation molecules are used for calibration.
std::size_t selection_size(std::size_t validation, bool hold_out);

/// Divides the validation molecules. If `hold_out` is true, the first half is used to choose the classifier,
/// and the second half for calibration. The molecules must be in random order. Throws InputError if there are
/// too few.
BaselineData share_validation(baselines::LabelledFeatures train,
                              const baselines::LabelledFeatures& validation, at::Tensor test_id,
                              at::Tensor test_ood, bool hold_out);

/// Adds the OOD training molecules, [n, width] on the CPU, to the data of a method that is trained on OOD
/// molecules (baselines::trains_on_ood()). For ood_classifier and logistic_regression, the labels become 0
/// for ID and 1 for OOD molecules. `val_ood` is added to the ID molecules for choosing the model. For
/// outlier_exposure, OOD molecules have the label NaN. Throws InputError for outlier_exposure if the labels
/// are not classes.
void add_ood(const std::string& method, const at::Tensor& train_ood, const at::Tensor& val_ood,
             BaselineData& data);

/// Checks a request before any computation. Throws InputError, which names `file`, if the method knn or
/// raw_knn needs more neighbours than there are training molecules. Throws the errors of labels_for().
void require_sufficient(const BaselineRequest& request, const std::vector<std::string>& methods,
                        const datasets::OodBenchmark& benchmark, const std::string& file);

}  // namespace molgauge::verbs
