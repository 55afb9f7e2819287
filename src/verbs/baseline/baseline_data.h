#pragma once

#include <string>
#include <vector>

#include "data/datasets/ood_benchmark.h"
#include "headroom/baseline.h"
#include "models/baselines/classifier/classifier_trainer.h"

namespace headroom::session {

/// The data of baselines, on the CPU.
struct BaselineData {
  baselines::LabelledFeatures train;
  baselines::LabelledFeatures selection;  ///< validation molecules that choose the classifier
  at::Tensor calibration;                 ///< validation molecules that calibrate p-values
  at::Tensor test_id, test_ood;
  at::Tensor validation_id, validation_ood;  ///< for the validation AUROC; undefined: not measured
};

/// The molecules at these positions of a side.
std::vector<datasets::BenchmarkMolecule> molecules_at(
    const std::vector<std::size_t>& places, const std::vector<datasets::BenchmarkMolecule>& molecules);

/// How many of the validation molecules choose the classifier; the others, if some are held out,
/// calibrate.
std::size_t selection_size(std::size_t validation, bool hold_out);

/// Divides the validation molecules. `hold_out`: half of them choose, the other half calibrate; their order
/// is random, so that a half is a random half. Throws InputError when there are too few.
BaselineData share_validation(baselines::LabelledFeatures train,
                              const baselines::LabelledFeatures& validation, at::Tensor test_id,
                              at::Tensor test_ood, bool hold_out);

/// Adds the OOD molecules of training, [n, width] on the CPU, to the data of a method that trains on them
/// (baselines::trains_on_ood()). ood_classifier: the labels become 0 for ID and 1 for OOD molecules, and the
/// choosing ID molecules are joined by `val_ood`. outlier_exposure: OOD molecules have the label NaN. Throws
/// InputError for outlier_exposure of other labels than classes.
void add_ood(const std::string& method, const at::Tensor& train_ood, const at::Tensor& val_ood,
             BaselineData& data);

/// Finds failures that are known before any computation: throws InputError naming `file` when there are fewer
/// training molecules than neighbours to use, and the errors of benchmark_labels().
void require_sufficient(const BaselineRequest& request, const std::vector<std::string>& methods,
                        const datasets::OodBenchmark& benchmark, const std::string& file);

}  // namespace headroom::session
