#pragma once

#include <string>
#include <vector>

#include "baselines/classifier/classifier_trainer.h"
#include "datasets/ood_benchmark.h"
#include "headroom/baseline.h"

namespace headroom::session {

/// What baselines are made from, on the CPU.
struct BaselineData {
  baselines::LabelledFeatures train;
  baselines::LabelledFeatures selection;  ///< validation molecules that choose the classifier
  at::Tensor calibration;                 ///< validation molecules that calibrate p-values
  at::Tensor test_id, test_ood;
  at::Tensor validation_id, validation_ood;  ///< what a point of a grid is chosen by; undefined: none is
};

/// The molecules at these places of a side.
std::vector<datasets::BenchmarkMolecule> molecules_at(
    const std::vector<std::size_t>& places, const std::vector<datasets::BenchmarkMolecule>& molecules);

/// How many of the validation molecules choose the classifier; the others, where some are held out,
/// calibrate.
std::size_t choosing_molecules(std::size_t validation, bool hold_out);

/// Shares the validation molecules out. `hold_out`: half of them choose, the other half calibrate; they were
/// drawn in random order, so that a half is a random half. Throws InputError when there are too few.
BaselineData share_validation(baselines::LabelledFeatures train,
                              const baselines::LabelledFeatures& validation, at::Tensor test_id,
                              at::Tensor test_ood, bool hold_out);

/// What can be known to fail without computing anything: throws InputError naming `file` when there are fewer
/// training molecules than neighbours to look at, and as benchmark_labels() does.
void require_sufficient(const BaselineRequest& request, const std::vector<std::string>& methods,
                        const datasets::OodBenchmark& benchmark, const std::string& file);

}  // namespace headroom::session
