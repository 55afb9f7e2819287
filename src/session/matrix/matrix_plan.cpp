#include "session/matrix/matrix_plan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "baselines/classifier/benchmark_labels.h"
#include "baselines/detectors/methods.h"
#include "baselines/run/baseline_run.h"
#include "baselines/run/request_options.h"
#include "ood/run/run_config.h"
#include "ood/run/training_plan.h"
#include "session/baselines/baseline_data.h"
#include "session/matrix/matrix_requests.h"
#include "session/training/training_needs.h"
#include "session/training/training_session.h"
#include "torch/cpu_tensor_memory.h"

namespace headroom::session {
namespace {

std::uint64_t bytes_of(std::size_t molecules, std::size_t width) { return molecules * width * sizeof(float); }

/// Everything that the memory of training a head depends on.
std::string memory_identity(const ood::TrainingOptions& options, const MatrixSizes& sizes) {
  const train::Frugality& frugality = options.frugality;
  return fmt::format("head {} {} hidden {} masks {} batch {} {} parts {} again {} {} {}", sizes.text(),
                     to_string(options.loss.kind), options.hidden_dim, options.dropout > 0,
                     options.batch_size, options.eval_batch_size, frugality.gradient_accumulation,
                     static_cast<int>(frugality.checkpoint_activations), to_string(frugality.autocast),
                     to_string(frugality.optimizer_state));
}

std::string memory_identity(const BaselineRequest& request, const matrix::Cell& cell) {
  return fmt::format(
      "baseline {} {} {} {} labels {} hidden {} layers {} batch {} {} calibration {} neighbours {} {} "
      "samples {}",
      cell.encoder, cell.benchmark, cell.data_seed, request.method, request.labels, request.hidden_channels,
      request.num_layers, request.batch_size, request.eval_batch_size, request.calibration, request.knn_k,
      request.lof_neighbors, request.mc_dropout_samples);
}

std::uint64_t sum_of_largest(std::size_t count, std::vector<std::uint64_t> bytes) {
  std::sort(bytes.begin(), bytes.end(), std::greater<>());
  bytes.resize(std::min(count, bytes.size()));
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

}  // namespace

MatrixPlan::MatrixPlan(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                       const MatrixFeatures& features, std::uint64_t room, std::size_t jobs)
    : spec_(spec),
      benchmarks_(benchmarks),
      features_(features),
      room_(room),
      jobs_(std::max<std::size_t>(1, jobs)) {}

void MatrixPlan::add(const matrix::Cell& cell) {
  CellPlan plan = this->plan(cell);
  plan.size.common = fmt::format("{} {} {}", cell.encoder, cell.benchmark, cell.data_seed);
  cells_.insert_or_assign(cell.folder(), std::move(plan));
}

CellPlan MatrixPlan::plan(const matrix::Cell& cell) {
  const MatrixSizes sizes = features_.sizes(cell);
  const auto once = [&](const std::string& identity, const std::function<CellPlan()>& plan) {
    auto known = planned_.find(identity);
    if (known == planned_.end()) {
      known = planned_.emplace(identity, plan()).first;
      known->second.size.shared = bytes_of(sizes.all(), sizes.width);
    }
    return known->second;
  };
  if (cell.kind == "energy-head") {
    const ood::TrainingOptions options = ood::training_options(train_request(spec_, cell));
    return once(memory_identity(options, sizes), [&] { return plan_head(options, sizes); });
  }
  const BaselineRequest request = baseline_request(spec_, cell);
  return once(memory_identity(request, cell), [&] {
    const datasets::OodBenchmark& drawn = benchmarks_.drawn(cell.benchmark, cell.data_seed);
    const auto labels =
        baselines::benchmark_labels(baselines::parse_label_choice(request.labels), drawn.train_id,
                                    drawn.val_id, benchmarks_.file(cell.benchmark));
    return plan_baseline(
        baselines::classifier_options(request, baselines::objective_of(request.method)),
        {.width = sizes.width,
         .outputs = static_cast<std::size_t>(labels.train.outputs),
         .training = sizes.train_id,
         .validation = choosing_molecules(sizes.validation_id, baselines::holds_out_calibration(request)),
         .feature_bytes = bytes_of(sizes.all(), sizes.width)},
        sizes, request);
  });
}

CellPlan MatrixPlan::plan_head(const ood::TrainingOptions& options, const MatrixSizes& sizes) {
  const std::size_t test = sizes.test_id + sizes.test_ood;
  const std::uint64_t test_bytes = bytes_of(test, sizes.width);
  const ood::TrainingSizes training{.width = sizes.width,
                                    .train_id = sizes.train_id,
                                    .train_ood = sizes.train_ood,
                                    .validation = sizes.validation_id + sizes.validation_ood};
  ood::TrainingPlan plan;
  for (const std::uint64_t budget : {room_ / jobs_, room_}) {
    if (!plan.report.chosen) {
      plan = ood::plan_training(options, training, /*threads=*/1,
                                {.budget_bytes = budget - std::min(budget, test_bytes),
                                 .outside_bytes = torch::cpu_tensor_memory().allocated_bytes()});
    }
  }
  CellPlan cell;
  cell.size.own = bytes_to_come(plan.report, bytes_of(sizes.all() - test, sizes.width));
  cell.report = std::move(plan.report);
  cell.way = plan.way;
  return cell;
}

CellPlan MatrixPlan::plan_baseline(const baselines::ClassifierOptions& options,
                                   const baselines::ClassifierSizes& classifier, const MatrixSizes& sizes,
                                   const BaselineRequest& request) {
  CellPlan cell;
  cell.report =
      baselines::plan_classifier(options, classifier, room_, torch::cpu_tensor_memory().allocated_bytes());
  cell.size.own = std::max(bytes_to_come(cell.report, bytes_of(sizes.all(), sizes.width)),
                           bytes_of_detector(request, request.method, classifier));
  return cell;
}

std::uint64_t MatrixPlan::smallest_bytes() const {
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [folder, plan] : cells_) {
    smallest = std::min(smallest, plan.bytes());
  }
  return cells_.empty() ? 0 : smallest;
}

std::uint64_t MatrixPlan::largest_bytes() const {
  std::uint64_t largest = 0;
  for (const auto& [folder, plan] : cells_) {
    largest = std::max(largest, plan.bytes());
  }
  return largest;
}

std::uint64_t MatrixPlan::bytes_at_once() const {
  std::map<std::string, std::uint64_t> shared;
  std::vector<std::uint64_t> own, features;
  for (const auto& [folder, plan] : cells_) {
    own.push_back(plan.size.own);
    shared[plan.size.common] = plan.size.shared;
  }
  for (const auto& [name, bytes] : shared) {
    features.push_back(bytes);
  }
  // What does not fit side by side goes one after the other.
  return std::min(sum_of_largest(jobs_, std::move(own)) + sum_of_largest(jobs_, std::move(features)), room_);
}

}  // namespace headroom::session
