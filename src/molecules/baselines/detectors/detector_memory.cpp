#include "molecules/baselines/detectors/detector_memory.h"

#include <algorithm>
#include <memory>

#include <ATen/CPUGeneratorImpl.h>

#include "base/core/threads/worker_group.h"
#include "base/numerics/torch/cpu_tensor_memory.h"

namespace molgauge::baselines {
namespace {

constexpr std::int64_t kFewMolecules = 512, kMoreMolecules = 1024;
constexpr std::size_t kMaxBatch = 256;

struct Rehearsal {
  std::uint64_t peak = 0;   ///< peak while the detector is fitted and scores one batch
  std::uint64_t batch = 0;  ///< the part of the peak that a batch needs
};

/// Synthetic labels in which every class occurs.
Labels made_up_labels(std::int64_t rows, std::int64_t outputs) {
  const at::Tensor values = at::arange(rows, at::kFloat).remainder_(std::max<std::int64_t>(2, outputs));
  return {LabelKind::classes, values.unsqueeze(1), std::max<std::int64_t>(2, outputs)};
}

MethodOptions for_few(MethodOptions options) {
  const auto most = static_cast<std::size_t>(kFewMolecules - 1);
  options.knn.neighbours = std::min(options.knn.neighbours, most);
  options.lof.neighbours = std::min(options.lof.neighbours, most);
  return options;
}

Rehearsal rehearse(const std::string& method, const MethodOptions& options, const ClassifierShape& shape,
                   std::int64_t molecules, const RowBatches& batches) {
  auto generator = at::detail::createCPUGenerator(/*seed=*/0);
  const at::Tensor features = at::randn({molecules, shape.inputs}, generator, at::kFloat);
  const FitData data{{features, made_up_labels(molecules, shape.outputs)}, features, batches};
  const TrainedClassifier model =
      objective_of(method)
          ? TrainedClassifier{std::make_shared<Classifier>(shape, /*seed=*/0), LabelKind::classes}
          : TrainedClassifier{nullptr, LabelKind::continuous};
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  const auto detector = make_detector(method, model, options);
  detector->fit(data);
  const std::uint64_t fitting = meter.peak_bytes(), fitted = meter.allocated_bytes();
  meter.reset_peak();
  detector->score(features.narrow(0, 0, static_cast<std::int64_t>(batches.batch_size)), batches);
  return {.peak = std::max(fitting, meter.peak_bytes()) - before, .batch = meter.peak_bytes() - fitted};
}

/// Bytes that a neighbour search allocates outside of tensors: a 16-bit integer for every coordinate, a few
/// numbers for every molecule (point_panels.h), and the neighbours of every molecule. Rows of features, which
/// are wide, also need two copies of the `queries` rows that are compared at the same time.
std::uint64_t search_bytes(const std::string& method, const MethodOptions& options,
                           const ClassifierShape& shape, std::size_t training, std::uint64_t queries) {
  const bool is_lof = method == "lof", is_raw = method == "raw_knn";
  if (!is_lof && !is_raw && method != "knn") {
    return 0;
  }
  const auto width = static_cast<std::uint64_t>(is_raw ? shape.inputs : shape.hidden);
  constexpr std::uint64_t kPointBytes = 3 * sizeof(float), kNeighbourBytes = 2 * sizeof(float);
  const std::uint64_t neighbours = is_lof ? options.lof.neighbours : 0;
  return training * (2 * width + kPointBytes + neighbours * kNeighbourBytes) +
         (is_raw ? 2 * queries * width * sizeof(float) : 0);
}

/// Standardising needs two copies of the features in float64. The solver keeps one copy, and vectors that are
/// small compared with the second copy. Measuring the bytes would take a whole fit.
std::uint64_t logistic_regression_bytes(const ClassifierShape& shape, std::size_t training,
                                        std::size_t scored) {
  return (2 * sizeof(double) * training + 3 * sizeof(float) * scored) *
         static_cast<std::uint64_t>(shape.inputs);
}

}  // namespace

std::uint64_t detector_bytes(const std::string& method, const MethodOptions& options,
                             const ClassifierShape& shape, std::size_t training, const RowBatches& batches) {
  const std::size_t threads = batches.threads > 0 ? batches.threads : available_processors();
  if (method == "logistic_regression") {
    return logistic_regression_bytes(shape, training, threads * batches.batch_size);
  }
  ClassifierShape labelled = shape;
  labelled.outputs = std::max<std::int64_t>(2, shape.outputs);
  const std::size_t batch = std::clamp<std::size_t>(batches.batch_size, 1, kMaxBatch);
  const auto measure = [&](std::int64_t molecules) {
    return rehearse(method, for_few(options), labelled, molecules, {batch, /*threads=*/1});
  };
  const Rehearsal few = measure(kFewMolecules), more = measure(kMoreMolecules);
  const double slope = (static_cast<double>(more.peak) - static_cast<double>(few.peak)) /
                       static_cast<double>(kMoreMolecules - kFewMolecules);
  const double beyond = static_cast<double>(training) - static_cast<double>(kFewMolecules);
  const double fitted = std::max(static_cast<double>(more.batch),
                                 static_cast<double>(few.peak) + std::max(0.0, slope) * beyond);
  // Adds memory for batches that are larger than the measured batch, and for one batch in each additional
  // thread.
  const double rows =
      std::min<double>(static_cast<double>(batches.batch_size), static_cast<double>(training));
  const double batch_bytes =
      static_cast<double>(more.batch) * std::max(1.0, rows / static_cast<double>(batch));
  return static_cast<std::uint64_t>(fitted - static_cast<double>(more.batch) +
                                    static_cast<double>(threads) * batch_bytes) +
         search_bytes(method, options, shape, training, threads * static_cast<std::uint64_t>(rows));
}

}  // namespace molgauge::baselines
