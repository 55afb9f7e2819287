#include "molecules/ood/run/tuning_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "base/core/text/duration.h"
#include "base/memory/measure/allocation_meter.h"
#include "base/memory/plan/device_workspace.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/train/execution_strategy.h"
#include "base/train/step_options.h"
#include "molecules/ood/head/validation.h"
#include "molecules/ood/run/head_batch.h"
#include "molecules/ood/run/tuned_rows.h"

namespace molgauge::ood {
namespace {

/// Time of a step that reads its molecules from a file, divided by the time of a step with molecules in
/// memory.
constexpr double kTimeOfReading = 1.05;
/// Number of arrays between steps that are as large as the parameters: the parameters, the gradients and two
/// moments.
constexpr std::uint64_t kCopiesOfSteps = 4;
/// Number of arrays in CPU memory for the best model. Each is as large as the parameters.
constexpr std::uint64_t kCopiesOfBest = 1;
/// Number of additional arrays while a checkpoint is written. They hold copies of the parameters and moments,
/// and the content of the file.
constexpr std::uint64_t kCopiesOfCheckpoint = 4;

/// Bytes of a validation, excluding the resulting features.
struct ValidationBytes {
  std::uint64_t of_thread = 0;  ///< bytes of each thread that computes features
  std::uint64_t of_head = 0;    ///< bytes of the head, which runs afterwards
};

class PartMeasurement {
 public:
  PartMeasurement(const TrainingOptions& options, const encoders::TrainableEncoder& encoder)
      : options_(options),
        encoder_(encoder),
        head_(encoder.width(), static_cast<std::int64_t>(options.hidden_dim), options.seed),
        dropout_(at::detail::createCPUGenerator(options.seed)) {}

  std::uint64_t head_bytes() const {
    std::uint64_t bytes = 0;
    for (const train::Parameter& parameter : head_.parameters()) {
      bytes += parameter.value.nbytes();
    }
    return bytes;
  }

  train::PartBytes measure(const std::vector<memory::ItemSize>& part) {
    const auto count = static_cast<std::int64_t>(part.size());
    const auto made_up = encoder_.with_made_up(part);
    const std::vector<std::int64_t> numbers = numbers_to(part.size());
    const at::Tensor keys = at::empty({count}, at::kLong).random_(dropout_);
    const DropoutMasks masks = head_.draw_masks(count, options_.dropout, dropout_);
    const at::Tensor gradient = at::full({count}, 0.01);
    train::PassPlan plan;
    plan.least_rows = count;
    // The CPU has no float16 products. bfloat16 takes the same memory.
    plan.precision = options_.memory_saving.autocast == Autocast::off ? at::kFloat : at::kBFloat16;
    memory::AllocationMeter& meter = torch::cpu_tensor_memory();
    const std::uint64_t before = meter.allocated_bytes();
    meter.reset_peak();
    train::PartBytes bytes;
    {
      train::ShardedPass pass = tuned_pass(head_, *made_up, numbers, keys, masks, plan);
      bytes.kept = meter.allocated_bytes() - before;
      pass.backward(gradient);
      bytes.highest = meter.peak_bytes() - before;
    }
    forget_gradients();
    return bytes;
  }

  /// Measures a validation of `molecules` molecules. `part`: the molecules whose features a thread computes
  /// at once.
  ValidationBytes measure_validation(const std::vector<memory::ItemSize>& part, std::size_t molecules) {
    const auto made_up = encoder_.with_made_up(part);
    memory::AllocationMeter& meter = torch::cpu_tensor_memory();
    const std::uint64_t before = meter.allocated_bytes();
    ValidationBytes bytes;
    meter.reset_peak();
    made_up->features(numbers_to(part.size()), /*threads=*/1);
    bytes.of_thread = meter.peak_bytes() - before;
    const std::size_t items = std::clamp<std::size_t>(molecules / 2, 1, options_.eval_batch_size);
    const at::Tensor features = at::zeros({static_cast<std::int64_t>(items), encoder_.width()});
    const std::uint64_t with_features = meter.allocated_bytes();
    meter.reset_peak();
    validate_head(head_, features, features, options_.loss, items, /*threads=*/1);
    bytes.of_head = meter.peak_bytes() - with_features;
    return bytes;
  }

 private:
  /// The indices 0, 1, ... of synthetic molecules.
  static std::vector<std::int64_t> numbers_to(std::size_t count) {
    std::vector<std::int64_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  void forget_gradients() {
    for (const encoders::TrainableEncoder::Parameter& parameter : encoder_.parameters()) {
      parameter.value.mutable_grad() = at::Tensor();
    }
    for (const train::Parameter& parameter : head_.parameters()) {
      parameter.value.mutable_grad() = at::Tensor();
    }
  }

  const TrainingOptions& options_;
  const encoders::TrainableEncoder& encoder_;
  EnergyHead head_;
  at::Generator dropout_;
};

memory::ItemSize mean_size(std::span<const memory::ItemSize> molecules) {
  double tokens = 0;
  for (const memory::ItemSize& molecule : molecules) {
    // Uses the root mean square of the token counts, because the number of pairs is the square of the token
    // count.
    tokens += static_cast<double>(molecule.tokens) * static_cast<double>(molecule.tokens);
  }
  const auto mean = static_cast<std::uint64_t>(
      std::ceil(std::sqrt(tokens / static_cast<double>(std::max<std::size_t>(1, molecules.size())))));
  return {.tokens = mean, .pairs = mean * mean};
}

}  // namespace

TuningPlan plan_tuning(const TrainingOptions& options, const encoders::TrainableEncoder& encoder,
                       const TuningSizes& sizes, std::size_t cpu_threads, const TensorBudget& budget) {
  const torch::OperatorThreads serial(1);
  const std::size_t threads = sizes.is_on_gpu ? 1 : cpu_threads;
  PartMeasurement measurement(options, encoder);
  std::uint64_t parameters = measurement.head_bytes();
  for (const encoders::TrainableEncoder::Parameter& parameter : encoder.parameters()) {
    parameters += parameter.value.nbytes();
  }
  const std::size_t pairs = std::min(sizes.train_id, sizes.train_ood);
  const std::size_t items = std::min(options.batch_size, pairs);
  const std::size_t rows = 2 * items;
  const auto least =
      static_cast<std::size_t>(sizes.is_on_gpu ? TunedRows::kLeastRowsOnGpu : TunedRows::kLeastRows);
  const std::size_t parts = std::max<std::size_t>(1, rows / least);
  const memory::ItemSize mean = mean_size(sizes.molecules);
  std::vector<memory::ItemSize> part(std::min(rows, least), mean);
  const Stopwatch watch;
  const train::PartBytes of_mean = measurement.measure(part);
  const double seconds_a_part = watch.seconds();
  const memory::ItemSize largest = *std::max_element(
      sizes.molecules.begin(), sizes.molecules.end(),
      [](const memory::ItemSize& one, const memory::ItemSize& other) { return one.tokens < other.tokens; });
  part.front() = largest;
  const train::PartBytes of_largest = measurement.measure(part);
  const std::size_t at_once = encoders::TrainableEncoder::kFeaturesAtOnce;
  part.assign(std::clamp<std::size_t>(sizes.validation, 1, at_once), mean);
  part.front() = largest;
  const ValidationBytes of_validation = measurement.measure_validation(part, sizes.validation);

  const std::uint64_t features =
      sizes.validation * static_cast<std::uint64_t>(encoder.width()) * sizeof(float);
  TuningPlan plan;
  MemoryPlan& report = plan.training.report;
  report.work = "train an energy head and encoder layers";
  report.items_name = "pairs of molecules";
  report.items = pairs;
  report.effective_batch = items;
  report.budget_bytes = budget.budget_bytes;
  const std::uint64_t copies = kCopiesOfSteps + (sizes.is_on_gpu ? 0 : kCopiesOfBest);
  const std::uint64_t while_saving = sizes.is_on_gpu ? 0 : kCopiesOfCheckpoint * parameters;
  plan.host_overhead_bytes = sizes.is_on_gpu ? (kCopiesOfBest + kCopiesOfCheckpoint) * parameters : 0;
  const std::uint64_t workspace =
      sizes.is_on_gpu ? memory::device_workspace_bytes(memory::DevicePasses::forward_and_backward) : 0;
  report.resident_bytes = copies * parameters + features + workspace;
  report.free_bytes = budget.budget_bytes - std::min(budget.budget_bytes, report.resident_bytes);
  report.probes = 3;
  report.limited_by =
      fmt::format("the batch of {} pairs as requested, in parts of {} molecules", items, least);
  std::vector<train::ExecutionStrategy> strategies =
      train::execution_strategies(options.memory_saving, of_mean, of_largest, parts, threads);
  for (train::ExecutionStrategy& strategy : strategies) {
    if (strategy.settings.parts_at_once == std::min(threads, parts) &&
        options.memory_saving.gradient_accumulation == 0) {
      strategy.settings.parts_at_once = 0;  // 0 means one part for each thread
    }
    // If memory is short, one thread computes the features, and each step keeps only one part in memory at a
    // time.
    const std::uint64_t computing =
        strategy.settings.parts_at_once == 1 ? 1 : std::max<std::size_t>(1, threads);
    const std::uint64_t validation =
        std::max(std::min<std::uint64_t>(computing, (sizes.validation + at_once - 1) / at_once) *
                     of_validation.of_thread,
                 of_validation.of_head);
    strategy.bytes = std::max(strategy.bytes, validation);
  }
  // The output of the frozen layers counts in the budget unless it is already in memory.
  const std::uint64_t kept_bytes = sizes.is_kept_on_disk || sizes.is_on_gpu ? 0 : sizes.kept_bytes;
  // Each choice also states whether the output of the frozen layers is on disk.
  std::vector<std::pair<train::ExecutionStrategy, bool>> choices;
  for (const bool on_disk : {false, true}) {
    if (sizes.is_kept_on_disk.value_or(on_disk) != on_disk) {
      continue;
    }
    for (const train::ExecutionStrategy& strategy : strategies) {
      choices.emplace_back(strategy, on_disk);
      PlannedAlternative& alternative = train::add_alternative(
          report, strategy,
          report.resident_bytes + std::max(strategy.bytes, while_saving) + (on_disk ? 0 : kept_bytes));
      alternative.settings += on_disk ? ", frozen part on disk" : ", frozen part in memory";
      alternative.batch_atoms = rows * mean.tokens;
      alternative.relative_time *= on_disk ? kTimeOfReading : 1;
      if (!on_disk && !sizes.is_kept_on_disk && sizes.kept_bytes > sizes.most_kept_bytes) {
        alternative.fits = false;
        alternative.remark = "the output of the frozen layers does not fit in addition to these layers";
      }
    }
  }
  const std::size_t shown = memory::choose_quickest(report, budget.budget_bytes);
  const PlannedAlternative& shown_alternative = report.alternatives[shown];
  if (report.chosen) {
    plan.training.strategy = choices[shown].first.settings;
    plan.keeps_on_disk = choices[shown].second;
  }
  report.projected_seconds = shown_alternative.relative_time * seconds_a_part * static_cast<double>(parts) *
                             static_cast<double>(shown_alternative.batches) /
                             static_cast<double>(std::max<std::size_t>(1, std::min(threads, parts)));
  report.contributions = {
      {"parameters, gradients, moments and copies", copies * parameters},
      {"passes, validation, or copies for a checkpoint", std::max(choices[shown].first.bytes, while_saving)},
      {"output of the frozen layers", choices[shown].second ? 0 : kept_bytes},
      {"validation features", features}};
  if (workspace > 0) {
    report.contributions.push_back({"workspace of matrix products", workspace});
  }
  memory::sort_contributions(report.contributions);
  report.notes.push_back(
      fmt::format("the output of the frozen layers for all molecules is {}", format_bytes(sizes.kept_bytes)));
  if (sizes.is_on_gpu) {
    report.notes.emplace_back("passes were measured on the CPU, where that output stays");
  }
  memory::print_plan(report);
  return plan;
}

}  // namespace molgauge::ood
