#include "engine/baseline_data.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"

namespace headroom::verbs {

using baselines::LabelledFeatures;

LabelledFeatures labelled(const at::Tensor& features,
                          const std::vector<datasets::BenchmarkMolecule>& molecules,
                          const std::vector<std::size_t>& places) {
  std::vector<int> labels;
  for (const std::size_t place : places) {
    labels.push_back(molecules[place].label);
  }
  return {features, baselines::class_labels(labels, 2)};
}

BaselineData share_validation(LabelledFeatures train, const LabelledFeatures& validation, at::Tensor test_id,
                              at::Tensor test_ood, bool hold_out) {
  BaselineData data{.train = std::move(train),
                    .selection = validation,
                    .calibration = validation.features,
                    .test_id = std::move(test_id),
                    .test_ood = std::move(test_ood),
                    .validation_id = {},
                    .validation_ood = {}};
  if (!hold_out) {
    return data;
  }
  const std::int64_t rows = validation.features.size(0);
  if (rows < 2) {
    throw InputError(
        "val_id has a single molecule, which cannot both choose the classifier and calibrate; take more, or "
        "--calibration validation");
  }
  const std::int64_t half = (rows + 1) / 2;
  data.selection = {validation.features.narrow(0, 0, half), validation.labels.rows_of(0, half)};
  data.calibration = validation.features.narrow(0, half, rows - half);
  return data;
}

void require_sufficient(const BaselineRequest& request, const std::vector<std::string>& methods,
                        const std::vector<datasets::BenchmarkMolecule>& train, const std::string& file) {
  if (std::find(methods.begin(), methods.end(), "knn") != methods.end() && request.knn_k > train.size()) {
    throw InputError(fmt::format("{}: train_id has {} molecules, fewer than knn-k {}; choose a smaller one",
                                 file, train.size(), request.knn_k));
  }
  const auto other = std::find_if(train.begin(), train.end(), [&](const auto& molecule) {
    return molecule.label != train.front().label;
  });
  if (other == train.end()) {
    throw InputError(
        fmt::format("{}: all molecules of train_id have cls_label {}, so that no classifier can be trained; "
                    "take another benchmark or a larger train-size",
                    file, train.front().label));
  }
}

}  // namespace headroom::verbs
