// Trains a head together with the last layers of an encoder.

#include <cmath>
#include <numeric>
#include <set>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/random/numpy_random.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/io/tensors/safetensors.h"
#include "base/memory/measure/tensor_memory.h"
#include "base/memory/plan/device_workspace.h"
#include "base/numerics/torch/device.h"
#include "molecules/encoders/frozen_layers.h"
#include "molecules/encoders/tuned_tensors.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/tuned_layers.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/trainer.h"
#include "molecules/ood/run/tuning_plan.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

const c10::Device kGpu(c10::kCUDA, 0);

namespace unimol = encoders::unimol;
using test::expect_same_training;
using testing::HasSubstr;

constexpr encoders::NetworkSizes kSizes{.layers = 3, .width = 32, .hidden = 48, .heads = 4, .kernels = 8};
constexpr std::size_t kTraining = 40, kValidation = 16;

/// Returns a synthetic molecule of two elements. In OOD molecules, more atoms are of the second element.
unimol::Inputs molecule(NumpyRandom& random, bool is_ood) {
  unimol::Inputs inputs;
  inputs.tokens = {unimol::kClass};
  const std::size_t atoms = 4 + random.next64() % 9;
  for (std::size_t i = 0; i < atoms; ++i) {
    const bool is_other = random.next64() % 10 < (is_ood ? 6 : 2);
    inputs.tokens.push_back(is_other ? 6 : 4);
  }
  inputs.tokens.push_back(unimol::kSeparator);
  const std::size_t count = inputs.tokens.size();
  inputs.distances.resize(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto apart = static_cast<float>(random.next64() % 1000) / 150 + 1;
      inputs.distances[i * count + j] = inputs.distances[j * count + i] = apart;
    }
  }
  return inputs;
}

/// An encoder with random weights, and the cached outputs of its frozen layers.
struct Tuning {
  explicit Tuning(const std::string& freeze = "0", const std::filesystem::path& disk = {})
      : tensors(unimol::random_tensors(kSizes, /*seed=*/5)) {
    const unimol::NetworkShape shape = unimol::shape_of(tensors, "made up");
    const unimol::FrozenPart frozen{encoders::frozen_layers(encoders::parse_layers(freeze), shape.layers)};
    const auto kept = std::make_shared<unimol::FrozenMoleculeCache>(shape, frozen);
    kept->keep_in(disk.empty() ? std::make_unique<encoders::FrozenActivations>()
                               : std::make_unique<encoders::FrozenActivations>(disk));
    const unimol::FrozenPartEncoder prefix(tensors, {.weights_sha256 = "5f2a"}, kept);
    NumpyRandom random(11);
    const auto add = [&](std::size_t count, bool is_ood) {
      std::vector<std::int64_t> numbers;
      for (std::size_t i = 0; i < count; ++i) {
        inputs.push_back(std::make_unique<unimol::Inputs>(molecule(random, is_ood)));
        const encoders::FeaturisedMolecule* const one = inputs.back().get();
        float number = -1;
        prefix.encode({&one, 1}, {&number, 1});
        numbers.push_back(static_cast<std::int64_t>(number));
      }
      return numbers;
    };
    molecules = {add(kTraining, false), add(kTraining + 3, true), add(kValidation, false),
                 add(kValidation, true)};
    encoder.emplace(tensors, kept);
  }

  TrainingResult train(const TrainingOptions& options, const std::filesystem::path& run,
                       const TrainingHooks& hooks = {}) const {
    return train_with_encoder(*encoder, molecules, "0123456789abcdef", options, run, hooks);
  }

  io::TensorMap tensors;
  std::vector<std::unique_ptr<unimol::Inputs>> inputs;
  TuningMolecules molecules;
  std::optional<unimol::TunedLayers> encoder;
};

TrainingOptions tuning_options() {
  TrainingOptions options = test::small_options();
  options.finetune_encoder = true;
  options.freeze_layers = "0";
  options.encoder_lr = 1e-3;
  options.batch_size = 20;  // 40 rows in two parts, and then a last batch of 40 rows
  options.epochs = 4;
  return options;
}

class TunedTraining : public testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::off); }
  void TearDown() override { request_cancellation(false); }
  test::TemporaryFolder folder_;
  TrainingOptions options_ = tuning_options();
};

/// Returns the rows of the inference encoder. It uses the original tensors, or the trained tensors of `run`.
at::Tensor encoded(const Tuning& tuning, const std::filesystem::path& run) {
  io::TensorMap tensors = tuning.tensors;
  if (!run.empty()) {
    encoders::replace_by_tuned(tensors, best_model_file(run));
  }
  const unimol::UnimolEncoder encoder(tensors, {.weights_sha256 = "5f2a"});
  std::vector<const encoders::FeaturisedMolecule*> molecules;
  for (const auto& inputs : tuning.inputs) {
    molecules.push_back(inputs.get());
  }
  const at::Tensor rows =
      at::empty({static_cast<std::int64_t>(molecules.size()), static_cast<std::int64_t>(encoder.width())});
  encoder.encode(molecules, {rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())});
  return rows;
}

std::vector<std::int64_t> all_numbers(const Tuning& tuning) {
  std::vector<std::int64_t> numbers(tuning.inputs.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<std::int64_t>(i);
  }
  return numbers;
}

TEST_F(TunedTraining, FeaturesAreTheEncodersBytesBeforeAndAfter) {
  for (const char* const freeze : {"0", "0-1", "1", "none"}) {
    SCOPED_TRACE(freeze);
    Tuning tuning(freeze);
    const std::vector<std::int64_t> numbers = all_numbers(tuning);
    EXPECT_TRUE(at::equal(tuning.encoder->features(numbers, 2), encoded(tuning, {})));
    std::vector<at::Tensor> present;
    for (const auto& parameter : tuning.encoder->parameters()) {
      present.push_back(parameter.value);
    }
    EXPECT_TRUE(at::allclose(tuning.encoder->rows(present, numbers, {}), encoded(tuning, {}), 1e-4, 1e-4));
    const std::filesystem::path run = folder_ / freeze;
    options_.freeze_layers = freeze;
    tuning.train(options_, run);
    restore_tuned(*tuning.encoder, io::read_safetensors(best_model_file(run)).tensors, "best");
    const at::Tensor after = encoded(tuning, run);
    EXPECT_TRUE(at::equal(tuning.encoder->features(numbers, 1), after));
    EXPECT_FALSE(at::allclose(after, encoded(tuning, {}), 1e-3, 1e-3));
  }
}

TEST_F(TunedTraining, SavesTheTrainedLayersAndNoOthers) {
  const Tuning tuning("0-1");
  options_.freeze_layers = "0-1";
  tuning.train(options_, folder_ / "run");
  const io::TensorMap best = io::read_safetensors(best_model_file(folder_ / "run")).tensors;
  std::set<std::string> layers;
  std::size_t tuned = 0;
  for (const auto& [name, tensor] : best) {
    if (name.starts_with(encoders::kTunedPrefix)) {
      ++tuned;
      EXPECT_TRUE(name.find("encoder.layers.2.") != std::string::npos ||
                  name.find("encoder.final_layer_norm.") != std::string::npos)
          << name;
    }
  }
  EXPECT_EQ(tuned, 12U + 2);
  EXPECT_EQ(best.size(), tuned + 6);
}

/// The first Adam step changes a number by its learning rate, for any gradient. After a training of one step,
/// the changes show the rates of the two groups.
TEST_F(TunedTraining, HasALearningRateOfItsOwn) {
  const Tuning tuning;
  options_.epochs = 1;
  options_.batch_size = kTraining;
  options_.weight_decay = 0;
  options_.learning_rate = 1e-3;
  options_.encoder_lr = 5e-6;
  std::vector<at::Tensor> before;
  for (const auto& parameter : tuning.encoder->parameters()) {
    before.push_back(parameter.value.detach().clone());
  }
  tuning.train(options_, folder_ / "run");
  double largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const at::Tensor change = tuning.encoder->parameters()[i].value.detach() - before[i];
    largest = std::max(largest, change.abs().max().item<double>());
  }
  EXPECT_NEAR(largest, 5e-6, 5e-7);
}

TEST_F(TunedTraining, LearnsMoreThanAHeadOnFrozenFeatures) {
  options_.epochs = 12;
  options_.patience = 12;
  options_.learning_rate = 1e-4;
  const Tuning tuning("none");
  TrainingData frozen;
  const auto features = [&](const std::vector<std::int64_t>& molecules) {
    return tuning.encoder->features(molecules, 1);
  };
  frozen.train_id = features(tuning.molecules.train_id);
  frozen.train_ood = features(tuning.molecules.train_ood);
  frozen.val_id = features(tuning.molecules.val_id);
  frozen.val_ood = features(tuning.molecules.val_ood);
  TrainingOptions of_head = options_;
  of_head.finetune_encoder = false;
  const TrainingResult head = train_energy_head(frozen, of_head, folder_ / "head");
  options_.freeze_layers = "none";
  const TrainingResult tuned = tuning.train(options_, folder_ / "tuned");
  EXPECT_LT(tuned.curve.back().train_loss, head.curve.back().train_loss);
}

/// The results are equal for any split of a step, any location of the cached outputs, and any number of
/// threads.
TEST_F(TunedTraining, GivesTheSameBytesInAnyWay) {
  const auto run = [&](const char* name, int threads, const memory::StepSettings& strategy, bool on_disk) {
    const int before = at::get_num_threads();
    at::set_num_threads(threads);
    TrainingOptions options = options_;
    options.strategy = strategy;
    const Tuning tuning("0", on_disk ? folder_ / "" : std::filesystem::path());
    tuning.train(options, folder_ / name);
    at::set_num_threads(before);
  };
  run("plain", 1, {}, false);
  run("threads", 2, {}, false);
  run("again", 2, {.checkpointing = true}, false);
  run("parts", 2, {.checkpointing = true, .parts_at_once = 1}, true);
  for (const char* const other : {"threads", "again", "parts"}) {
    SCOPED_TRACE(other);
    expect_same_training(folder_ / "plain", folder_ / other);
  }
}

TEST_F(TunedTraining, ResumedAfterAnyStepEqualsTheUndisturbed) {
  Tuning().train(options_, folder_ / "whole");
  for (const std::size_t stop : {1, 2, 3, 5, 7}) {
    SCOPED_TRACE(stop);
    const auto run = folder_ / ("stopped" + std::to_string(stop));
    TrainingHooks hooks;
    hooks.after_step = [&](std::size_t steps) { request_cancellation(steps == stop); };
    EXPECT_THROW(Tuning().train(options_, run, hooks), Interrupted);
    request_cancellation(false);
    EXPECT_TRUE(Tuning().train(options_, run).resumed);
    expect_same_training(folder_ / "whole", run);
  }
}

/// A step that runs out of memory is repeated in smaller parts, with bit-identical results.
TEST_F(TunedTraining, OutOfMemoryChangesNoByte) {
  options_.epochs = 1;
  options_.batch_size = kTraining;
  const Tuning first;
  first.train(options_, folder_ / "whole");
  const Tuning tuning;
  memory::AllocationMeter& meter = memory::tensor_memory();
  const TuningSizes sizes{.molecules = {{.tokens = 10, .pairs = 100}},
                          .train_id = kTraining,
                          .train_ood = kTraining + 3,
                          .validation = 2 * kValidation};
  const TuningPlan plan = plan_tuning(options_, *tuning.encoder, sizes, 1,
                                      {.budget_bytes = std::uint64_t{1} << 40, .outside_bytes = 0});
  const auto& strategies = plan.training.report.alternatives;
  ASSERT_GE(strategies.size(), 3U);
  meter.reset_peak();
  const std::uint64_t before = meter.allocated_bytes();
  tuning.train(options_, folder_ / "measured");
  const std::uint64_t peak = meter.peak_bytes() - before;
  const Tuning again;
  std::size_t recoveries = 0;
  meter.set_limit(meter.allocated_bytes() + peak * 4 / 5);
  EXPECT_NO_THROW(recoveries = again.train(options_, folder_ / "less").oom_recoveries);
  meter.set_limit(memory::AllocationMeter::kNoLimit);
  EXPECT_GT(recoveries, 0U);
  expect_same_training(folder_ / "whole", folder_ / "less");
}

TEST_F(TunedTraining, IsPlannedByTheBudget) {
  const Tuning tuning;
  TuningSizes sizes{.molecules = std::vector<memory::ItemSize>(50, {.tokens = 10, .pairs = 100}),
                    .train_id = 400,
                    .train_ood = 400,
                    .validation = 32,
                    .kept_bytes = std::uint64_t{64} << 20};
  options_.batch_size = 400;
  const auto plan = [&](std::uint64_t budget) {
    return plan_tuning(options_, *tuning.encoder, sizes, 2, {.budget_bytes = budget, .outside_bytes = 0});
  };
  const TuningPlan ample = plan(std::uint64_t{1} << 30);
  ASSERT_TRUE(ample.training.strategy);
  EXPECT_FALSE(ample.keeps_on_disk);
  EXPECT_FALSE(ample.training.strategy->checkpointing);
  const std::uint64_t all = ample.training.report.alternatives.front().projected_bytes;
  const TuningPlan without_kept = plan(all - 1);
  ASSERT_TRUE(without_kept.training.strategy);
  EXPECT_TRUE(without_kept.keeps_on_disk) << "reading is cheaper than recomputing";
  EXPECT_FALSE(without_kept.training.strategy->checkpointing);
  const std::uint64_t smallest = ample.training.report.smallest_budget_bytes;
  const TuningPlan least = plan(smallest);
  ASSERT_TRUE(least.training.strategy);
  EXPECT_TRUE(least.keeps_on_disk);
  EXPECT_TRUE(least.training.strategy->checkpointing);
  const TuningPlan too_small = plan(smallest - 1);
  EXPECT_FALSE(too_small.training.strategy);
  EXPECT_THROW(memory::require_fit(too_small.training.report), Error);
  EXPECT_FALSE(tuning.encoder->parameters().front().value.grad().defined()) << "probes leave nothing behind";
}

/// The validation of large molecules takes more memory than a step of few molecules.
TEST_F(TunedTraining, ThePlanCountsTheValidation) {
  const Tuning tuning;
  options_.batch_size = 1;
  const memory::ItemSize large{.tokens = 60, .pairs = 3600};
  const auto bytes_of_work = [&](std::size_t validation) {
    const TuningSizes sizes{.molecules = {large}, .train_id = 4, .train_ood = 4, .validation = validation};
    const TuningPlan plan = plan_tuning(options_, *tuning.encoder, sizes, /*threads=*/2,
                                        {.budget_bytes = std::uint64_t{1} << 40, .outside_bytes = 0});
    const MemoryPlan& report = plan.training.report;
    return report.alternatives.at(report.chosen.value()).projected_bytes - report.resident_bytes;
  };
  constexpr std::size_t kLarge = 64;
  const auto encoder = tuning.encoder->with_made_up(std::vector<memory::ItemSize>(kLarge, large));
  std::vector<std::int64_t> numbers(kLarge);
  std::iota(numbers.begin(), numbers.end(), 0);
  memory::AllocationMeter& meter = memory::tensor_memory();
  meter.reset_peak();
  const std::uint64_t before = meter.allocated_bytes();
  const at::Tensor features = encoder->features(numbers, /*threads=*/2);
  const std::uint64_t taken = meter.peak_bytes() - before - features.nbytes();
  EXPECT_LT(bytes_of_work(2), taken);
  EXPECT_GE(bytes_of_work(kLarge), taken);
}

/// A molecule has the same dropout on a GPU as on the CPU, so the rows and gradients on both devices are
/// equal.
TEST_F(TunedTraining, OnAGpuHasTheRowsAndGradientsOfTheCpu) {
  if (torch::gpu_count() == 0) {
    GTEST_SKIP() << "no GPU";
  }
  for (const char* const freeze : {"0", "none"}) {
    SCOPED_TRACE(freeze);
    const Tuning tuning(freeze);
    const std::vector<std::int64_t> numbers = all_numbers(tuning);
    const at::Tensor keys = at::arange(static_cast<std::int64_t>(numbers.size()), at::kLong);
    const auto there = tuning.encoder->copy();
    there->to(kGpu);
    EXPECT_TRUE(
        at::allclose(there->features(numbers, 1).cpu(), tuning.encoder->features(numbers, 1), 1e-4, 1e-4));
    const auto differentiate = [&](const encoders::TrainableEncoder& encoder) {
      std::vector<at::Tensor> parameters;
      for (const auto& parameter : encoder.parameters()) {
        parameters.push_back(parameter.value);
      }
      const at::Tensor rows = encoder.rows(parameters, numbers, keys);
      rows.sin().sum().backward();
      return rows.detach().cpu();
    };
    EXPECT_TRUE(at::allclose(differentiate(*there), differentiate(*tuning.encoder), 1e-4, 1e-4));
    for (std::size_t i = 0; i < there->parameters().size(); ++i) {
      const auto& parameter = tuning.encoder->parameters()[i];
      EXPECT_TRUE(at::allclose(there->parameters()[i].value.grad().cpu(), parameter.value.grad(), 1e-3, 1e-3))
          << parameter.name;
    }
  }
}

TEST_F(TunedTraining, OnAGpuIsResumedToTheSameBytes) {
  if (torch::gpu_count() == 0) {
    GTEST_SKIP() << "no GPU";
  }
  const auto train = [&](const char* name, std::size_t stop, const memory::StepSettings& strategy) {
    TrainingOptions options = options_;
    options.strategy = strategy;
    const Tuning tuning;
    const auto there = tuning.encoder->copy();
    there->to(kGpu);
    TrainingHooks hooks;
    hooks.after_step = [&](std::size_t steps) { request_cancellation(steps == stop); };
    const auto run = [&](const TrainingHooks& with) {
      return train_with_encoder(*there, tuning.molecules, "0123456789abcdef", options, folder_ / name, with);
    };
    if (stop > 0) {
      EXPECT_THROW(run(hooks), Interrupted);
      request_cancellation(false);
      const auto fresh = Tuning();
      there->to(at::kCPU);
      for (std::size_t i = 0; i < there->parameters().size(); ++i) {
        there->set_numbers(i, fresh.encoder->parameters()[i].value.detach());
      }
      there->to(kGpu);
    }
    EXPECT_EQ(run({}).resumed, stop > 0);
  };
  train("whole", 0, {});
  train("stopped", 3, {});
  train("again", 0, {.checkpointing = true});
  expect_same_training(folder_ / "whole", folder_ / "stopped");
  expect_same_training(folder_ / "whole", folder_ / "again");
}

/// A plan for a GPU keeps the outputs of the frozen layers in CPU memory.
TEST_F(TunedTraining, IsPlannedForAGpu) {
  const Tuning tuning;
  options_.batch_size = 400;
  TuningSizes sizes{.molecules = std::vector<memory::ItemSize>(50, {.tokens = 10, .pairs = 100}),
                    .train_id = 400,
                    .train_ood = 400,
                    .validation = 32,
                    .kept_bytes = std::uint64_t{64} << 20,
                    .most_kept_bytes = std::uint64_t{65} << 20};
  const auto plan = [&] {
    return plan_tuning(options_, *tuning.encoder, sizes, 2,
                       {.budget_bytes = std::uint64_t{1} << 30, .outside_bytes = 0});
  };
  const TuningPlan on_cpu = plan();
  sizes.is_on_gpu = true;
  const TuningPlan on_gpu = plan();
  EXPECT_FALSE(on_gpu.keeps_on_disk);
  EXPECT_EQ(on_cpu.host_overhead_bytes, 0U);
  EXPECT_GT(on_gpu.host_overhead_bytes, 0U);
  const auto chosen = [](const TuningPlan& of) {
    return of.training.report.alternatives.at(of.training.report.chosen.value()).projected_bytes;
  };
  const std::uint64_t workspace = memory::device_workspace_bytes(memory::DevicePasses::forward_and_backward);
  EXPECT_LT(chosen(on_gpu) - workspace + sizes.kept_bytes / 2, chosen(on_cpu));
  EXPECT_THAT(on_gpu.training.report.contributions,
              testing::Contains(testing::AllOf(
                  testing::Field(&MemoryContribution::name, HasSubstr("workspace of matrix products")),
                  testing::Field(&MemoryContribution::bytes, workspace))));
  EXPECT_THAT(on_gpu.training.report.limited_by, HasSubstr("parts of 64 molecules"));
  sizes.most_kept_bytes = sizes.kept_bytes - 1;
  EXPECT_TRUE(plan().keeps_on_disk);
}

TEST_F(TunedTraining, RefusesFilesThatAreNoEncodersLayers) {
  const Tuning tuning;
  tuning.train(options_, folder_ / "run");
  io::TensorMap other =
      unimol::random_tensors({.layers = 2, .width = 32, .hidden = 48, .heads = 4, .kernels = 8}, 5);
  EXPECT_THAT([&] { encoders::replace_by_tuned(other, best_model_file(folder_ / "run")); },
              testing::ThrowsMessage<InputError>(HasSubstr("encoder.layers.2.")));
  const TrainingData data = test::training_data();
  TrainingOptions of_head = options_;
  of_head.finetune_encoder = false;
  train_energy_head(data, of_head, folder_ / "head");
  io::TensorMap own = tuning.tensors;
  EXPECT_THAT([&] { encoders::replace_by_tuned(own, best_model_file(folder_ / "head")); },
              testing::ThrowsMessage<InputError>(HasSubstr("holds no layers of an encoder")));
}

}  // namespace
}  // namespace molgauge::ood
