#include "pockets/training/plan.h"

#include <algorithm>
#include <numeric>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "base/core/text/duration.h"
#include "base/memory/plan/device_workspace.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/train/execution_strategy.h"
#include "pockets/tensor_encoder.h"
#include "pockets/training/batches.h"
#include "pockets/training/parameters.h"
#include "pockets/training/pocket_batch.h"

namespace molgauge::pocket {
namespace {

/// Number of arrays that are as large as the parameters. Five exist during the whole training: the
/// parameters, the gradients, two moments, and a copy of the best parameters for the file of the best model.
/// While a checkpoint is written, there are four additional copies.
constexpr std::uint64_t kCopiesAlways = 5, kCopiesOfCheckpoint = 4;
/// Number of arrays on a GPU that are as large as the parameters: the parameters, their gradients, and the
/// gradients of one shard.
constexpr std::uint64_t kCopiesOnGpu = 3;

/// The number of pockets of a step in one process, rounded up, if the pockets have nearly equal costs.
std::size_t pockets_of_a_process(const TrainingOptions& options, std::size_t pockets) {
  return (pockets + options.processes - 1) / options.processes;
}

/// The number of additional arrays in each process if there are several processes. Until its turn, a process
/// keeps the gradients of each of its shards, and the sum of all gradients.
std::uint64_t copies_for_processes(const TrainingOptions& options, std::size_t shards) {
  return options.processes > 1 ? 1 + shards : 0;
}

/// Bytes of the passes of one shard, including its graphs and its gradient.
struct PassBytes {
  train::PartBytes of_step;
  std::uint64_t encoding = 0;  ///< bytes of an encoding of the first pocket without gradients
  double seconds = 0;
};

PassBytes measure(const TrainingData& data, const TrainingOptions& options,
                  const std::vector<TrainingPocket>& pockets,
                  const std::vector<train::Parameter>& parameters) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  const Stopwatch watch;
  PassBytes bytes;
  EpochSums sums;
  meter.reset_peak();
  {
    PocketLoader loader(data, 0);
    TrainingOptions here = options;
    here.device = {};
    PocketBatch batch({.parameters = parameters,
                       .sizes = {static_cast<std::int64_t>(pockets.size())},
                       .targets = data.targets_of(pockets),
                       .pockets = loader.load(pockets),
                       .keys = std::vector<std::int64_t>(pockets.size(), 0)},
                      here, sums);
    train::PassPlan plan;
    plan.least_rows = static_cast<std::int64_t>(pockets.size());
    // The CPU has no float16 products. bfloat16 takes the same memory.
    plan.precision = options.memory_saving.autocast == Autocast::off ? at::kFloat : at::kBFloat16;
    batch.forward(plan);
    bytes.of_step.kept = meter.allocated_bytes() - before;
    batch.backward(1);
    bytes.of_step.highest = meter.peak_bytes() - before;
  }
  bytes.seconds = watch.seconds();
  for (const train::Parameter& parameter : parameters) {
    parameter.value.mutable_grad() = at::Tensor();
  }
  meter.reset_peak();
  {
    PocketLoader loader(data, 0);
    const LoadedPockets loaded = loader.load({pockets.front()});
    array_encoder(options.shape, parameters).forward(as_arrays(*loaded.front()));
    bytes.encoding = meter.peak_bytes() - before;
  }
  return bytes;
}

/// Estimates the memory of the passes on a GPU from their memory on the CPU. The message kernels on a GPU
/// need additional tiles. The backward pass there also needs the gradients of the rows of all edges.
PassBytes on_gpu(PassBytes bytes, const GraphSet& graphs, const std::vector<TrainingPocket>& pockets,
                 const EncoderShape& shape) {
  std::int64_t atoms = 0, bonds = 0, pairs = 0;
  for (const TrainingPocket& pocket : pockets) {
    const GraphCounts& counts = graphs.graphs()[pocket.graph].counts;
    atoms += counts.atoms;
    bonds += counts.bonds;
    pairs += counts.pairs;
  }
  const std::int64_t edges = std::max(bonds, pairs);
  const std::uint64_t of_messages = device_bytes_of_messages(atoms, edges);
  bytes.of_step.highest +=
      of_messages + static_cast<std::uint64_t>(edges * shape.hidden.width()) * sizeof(float);
  bytes.encoding += of_messages;
  return bytes;
}

/// All pockets, in ascending order of their costs.
std::vector<TrainingPocket> pockets_by_cost(const TrainingData& data, const EncoderShape& shape) {
  std::vector<TrainingPocket> pockets = data.train;
  pockets.insert(pockets.end(), data.validation.begin(), data.validation.end());
  const auto cost = [&](const TrainingPocket& pocket) {
    return cost_of(data.graphs->graphs()[pocket.graph].counts, shape);
  };
  std::stable_sort(pockets.begin(), pockets.end(),
                   [&](const TrainingPocket& a, const TrainingPocket& b) { return cost(a) < cost(b); });
  return pockets;
}

}  // namespace

TrainingPlan plan_training(const TrainingData& data, const TrainingOptions& options, std::size_t cpu_threads,
                           std::uint64_t budget_bytes) {
  const bool is_on_gpu = options.device.is_gpu();
  const std::size_t threads = is_on_gpu ? 1 : cpu_threads;
  const torch::OperatorThreads serial(1);
  const std::vector<train::Parameter> parameters = draw_parameters(options.shape, options.seed);
  const std::uint64_t parameter_bytes =
      std::accumulate(parameters.begin(), parameters.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& p) { return sum + p.value.nbytes(); });
  const std::vector<TrainingPocket> by_cost = pockets_by_cost(data, options.shape);
  const std::size_t pockets = std::min(options.batch_size * options.accumulation_steps, data.train.size());
  const auto own_pockets = static_cast<std::int64_t>(pockets_of_a_process(options, pockets));
  const auto shards = static_cast<std::size_t>(train::shard_count(own_pockets, torch::to_c10(options.device),
                                                                  pockets_of_a_shard(data, options.device)));
  const std::size_t joined = (static_cast<std::size_t>(own_pockets) + shards - 1) / shards;
  /// Measures a shard of this pocket and median pockets.
  const auto measured = [&](const TrainingPocket& pocket) {
    std::vector<TrainingPocket> shard(joined, by_cost[by_cost.size() / 2]);
    shard.front() = pocket;
    const PassBytes bytes = measure(data, options, shard, parameters);
    return is_on_gpu ? on_gpu(bytes, *data.graphs, shard, options.shape) : bytes;
  };
  const PassBytes middle = measured(by_cost[by_cost.size() / 2]);
  const PassBytes largest = measured(by_cost.back());

  TrainingPlan plan;
  MemoryPlan& report = plan.report;
  report.work = "train a pocket encoder";
  report.items_name = "pockets";
  report.items = data.train.size();
  report.effective_batch = pockets;
  report.budget_bytes = budget_bytes;
  const std::uint64_t host_bytes = (kCopiesAlways + copies_for_processes(options, shards)) * parameter_bytes;
  const std::uint64_t while_saving = kCopiesOfCheckpoint * parameter_bytes;
  const std::uint64_t workspace =
      is_on_gpu ? memory::device_workspace_bytes(memory::DevicePasses::forward_and_backward) : 0;
  report.resident_bytes = is_on_gpu ? kCopiesOnGpu * parameter_bytes + workspace : host_bytes;
  plan.host_overhead_bytes = is_on_gpu ? host_bytes + while_saving : 0;
  report.free_bytes = budget_bytes - std::min(budget_bytes, report.resident_bytes);
  const std::vector<train::ExecutionStrategy> strategies =
      train::execution_strategies(options.memory_saving, middle.of_step, largest.of_step, shards, threads);
  const std::uint64_t at_least = std::max(largest.encoding * threads, is_on_gpu ? 0 : while_saving);
  for (const train::ExecutionStrategy& strategy : strategies) {
    train::add_alternative(report, strategy, report.resident_bytes + std::max(strategy.bytes, at_least));
  }
  const std::size_t shown = memory::choose_quickest(report, budget_bytes);
  if (report.chosen) {
    plan.strategy = strategies[shown].settings;
  }
  report.projected_seconds = middle.seconds / static_cast<double>(joined) *
                             static_cast<double>(data.train.size()) *
                             report.alternatives[shown].relative_time /
                             static_cast<double>(std::max<std::size_t>(1, std::min(threads, pockets)));
  report.contributions = {
      {is_on_gpu ? "parameters and gradients" : "parameters, gradients, moments and copies",
       report.resident_bytes - workspace},
      {is_on_gpu ? "passes, or validation" : "passes, validation, or copies for a checkpoint",
       report.alternatives[shown].projected_bytes - report.resident_bytes}};
  if (workspace > 0) {
    report.contributions.push_back({"workspace of matrix products", workspace});
  }
  memory::sort_contributions(report.contributions);
  report.probes = 2;
  report.notes.push_back(fmt::format(
      "the passes of the largest pocket ({}){} take {}", data.graphs->graphs()[by_cost.back().graph].name,
      joined > 1 ? fmt::format(" and {} others", joined - 1) : "", format_bytes(largest.of_step.highest)));
  if (is_on_gpu) {
    report.notes.emplace_back(
        "passes were measured on the CPU. The messages and the tiles of the GPU kernels are added");
  }
  memory::print_plan(report);
  return plan;
}

}  // namespace molgauge::pocket
