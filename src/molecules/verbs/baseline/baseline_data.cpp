#include "molecules/verbs/baseline/baseline_data.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"
#include "molecules/baselines/classifier/benchmark_labels.h"
#include "molecules/baselines/detectors/methods.h"

namespace molgauge::verbs {

using baselines::LabelledFeatures;

std::vector<datasets::BenchmarkMolecule> molecules_at(
    const std::vector<std::size_t>& places, const std::vector<datasets::BenchmarkMolecule>& molecules) {
  std::vector<datasets::BenchmarkMolecule> chosen;
  chosen.reserve(places.size());
  for (const std::size_t place : places) {
    chosen.push_back(molecules[place]);
  }
  return chosen;
}

baselines::BenchmarkLabels labels_for(const BaselineRequest& request, const std::vector<std::string>& methods,
                                      const std::vector<datasets::BenchmarkMolecule>& train,
                                      const std::vector<datasets::BenchmarkMolecule>& validation,
                                      const std::string& file) {
  if (std::any_of(methods.begin(), methods.end(), baselines::reads_labels)) {
    return baselines::benchmark_labels(request.labels, train, validation, file);
  }
  const auto none = [](const auto& molecules) {
    return baselines::task_labels(at::zeros({static_cast<std::int64_t>(molecules.size()), 1}));
  };
  return {none(train), none(validation)};
}

std::size_t selection_size(std::size_t validation, bool hold_out) {
  return hold_out ? (validation + 1) / 2 : validation;
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
        "val_id has only one molecule, which cannot both select the classifier and calibrate. Use more "
        "molecules, or --calibration validation");
  }
  const auto half = static_cast<std::int64_t>(selection_size(static_cast<std::size_t>(rows), hold_out));
  data.selection = {validation.features.narrow(0, 0, half), validation.labels.rows_of(0, half)};
  data.calibration = validation.features.narrow(0, half, rows - half);
  return data;
}

void add_ood(const std::string& method, const at::Tensor& train_ood, const at::Tensor& val_ood,
             BaselineData& data) {
  const auto labels = [](const at::Tensor& id, const at::Tensor& ood) {
    return baselines::task_labels(at::cat({at::zeros({id.size(0), 1}), at::ones({ood.size(0), 1})}));
  };
  const at::Tensor train = at::cat({data.train.features, train_ood});
  if (baselines::learns_ood(method)) {
    data.train.labels = labels(data.train.features, train_ood);
    data.selection = {at::cat({data.selection.features, val_ood}), labels(data.selection.features, val_ood)};
  } else {
    if (data.train.labels.kind != baselines::LabelKind::classes) {
      throw InputError(method + ": needs class labels. Choose --labels class or multi-class");
    }
    data.train.labels.values =
        at::cat({data.train.labels.values, at::full({train_ood.size(0), 1}, std::nan(""), at::kFloat)});
  }
  data.train.features = train;
}

void require_sufficient(const BaselineRequest& request, const std::vector<std::string>& methods,
                        const datasets::OodBenchmark& benchmark, const std::string& file) {
  const std::size_t train = benchmark.train_id.size();
  const bool finds_neighbours = std::any_of(methods.begin(), methods.end(), [](const std::string& method) {
    return method == "knn" || method == "raw_knn";
  });
  if (finds_neighbours && request.knn_k > train) {
    throw InputError(fmt::format("{}: train_id has {}, fewer than --knn-k {}. Choose a smaller value", file,
                                 counted(train, "molecule"), request.knn_k));
  }
  labels_for(request, methods, benchmark.train_id, benchmark.val_id, file);
}

}  // namespace molgauge::verbs
