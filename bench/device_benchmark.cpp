// Measures MiniMol, Uni-Mol and the training of a head on the CPU and, if there is one, on the GPU.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/core/threads/worker_group.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/device_memory.h"
#include "base/numerics/torch/operator_threads.h"
#include "made_up_weights.h"
#include "molecules/encoders/minimol/made_up_inputs.h"
#include "molecules/encoders/minimol/torch_encoder.h"
#include "molecules/encoders/unimol/inputs.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/torch_encoder.h"
#include "molecules/ood/run/trainer.h"

namespace molgauge {
namespace {

using encoders::minimol::TorchMinimolEncoder;
using ops::Precision;

/// The size of a typical drug molecule.
constexpr std::size_t kAtoms = 28, kDirectedEdges = 60;
/// Estimated from the rows of the atoms and two messages for each edge.
constexpr std::uint64_t kBytesPerMolecule = kAtoms * 5320 + kDirectedEdges * 2720;
constexpr double kMebibyte = 1 << 20;

/// Reports the peak of GPU memory during its lifetime as a counter of the benchmark. Does nothing on the CPU.
class PeakCounter {
 public:
  PeakCounter(benchmark::State& state, c10::Device device)
      : state_(state), probe_(torch::device_probe(device)) {
    if (probe_) {
      torch::allocator_access(device).release_cached();
      probe_->reset_peak();
    }
  }
  ~PeakCounter() {
    if (probe_) {
      state_.counters["reserved_MiB"] = static_cast<double>(probe_->read().peak_reserved) / kMebibyte;
    }
  }
  PeakCounter(const PeakCounter&) = delete;
  PeakCounter& operator=(const PeakCounter&) = delete;

 private:
  benchmark::State& state_;
  std::unique_ptr<memory::DeviceProbe> probe_;
};

/// Batches of equal molecules. The argument is the number of molecules in a batch. The rows are copied to the
/// host, so the time includes all work of the GPU. The values of the weights do not change the time.
void encode(benchmark::State& state, c10::Device device, Precision precision) {
  const TorchMinimolEncoder encoder(made_up_weights(), device, "", precision);
  const auto molecule = encoders::minimol::made_up_inputs(kAtoms, kDirectedEdges);
  const std::vector<const encoders::FeaturisedMolecule*> batch(static_cast<std::size_t>(state.range(0)),
                                                               molecule.get());
  std::vector<float> rows(batch.size() * encoder.width());
  const PeakCounter peak(state, device);
  for (auto _ : state) {
    encoder.encode(batch, rows);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Uni-Mol with random weights of the published sizes, on molecules of 28 tokens. The argument is the number
/// of molecules in a batch.
void encode_unimol(benchmark::State& state, c10::Device device, Precision precision) {
  constexpr std::size_t kTokens = 28;
  const encoders::unimol::TorchUnimolEncoder encoder(encoders::unimol::random_tensors({}, 1), device,
                                                     {.weights_sha256 = "random"}, {.precision = precision});
  encoders::unimol::Inputs molecule;
  for (std::size_t i = 0; i < kTokens; ++i) {
    molecule.tokens.push_back(i == 0             ? encoders::unimol::kClass
                              : i + 1 == kTokens ? encoders::unimol::kSeparator
                                                 : 4 + static_cast<std::int64_t>(i % 4));
    for (std::size_t j = 0; j < kTokens; ++j) {
      molecule.distances.push_back(i == j ? 0 : 1.4F + static_cast<float>((i + j) % 9));
    }
  }
  const std::vector<const encoders::FeaturisedMolecule*> batch(static_cast<std::size_t>(state.range(0)),
                                                               &molecule);
  std::vector<float> rows(batch.size() * encoder.width());
  const PeakCounter peak(state, device);
  for (auto _ : state) {
    encoder.encode(batch, rows);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Trains a head and reports the seconds of an epoch. An epoch has 2,000 molecules on each side, and a
/// validation on 600. The argument is the batch size.
void epoch(benchmark::State& state, c10::Device device, Autocast autocast) {
  const auto run = std::filesystem::temp_directory_path() / "molgauge-bench-device";
  const auto rows = [&](std::int64_t count) { return at::randn({count, 512}).to(device); };
  const ood::TrainingData data{rows(2000), rows(2000), rows(600), rows(600)};
  ood::TrainingOptions options;
  options.batch_size = static_cast<std::size_t>(state.range(0));
  options.epochs = options.patience = 20;
  options.memory_saving.autocast = autocast;
  options.resume = false;
  options.quiet = true;
  double seconds = 0;
  {
    const PeakCounter peak(state, device);
    for (auto _ : state) {
      seconds += ood::train_energy_head(data, options, run).avg_epoch_time_seconds;
    }
  }
  std::filesystem::remove_all(run);
  state.counters["seconds_per_epoch"] = seconds / static_cast<double>(state.iterations());
}

/// Encodes 4,000 molecules. The argument is the budget in MiB, in addition to the memory that is already
/// reserved. The planned batches may be slightly too large. Then Recovery reduces them.
void encode_within(benchmark::State& state, c10::Device device) {
  constexpr std::size_t kMolecules = 4000;
  const TorchMinimolEncoder encoder(made_up_weights(), device, "");
  const auto molecule = encoders::minimol::made_up_inputs(kAtoms, kDirectedEdges);
  const std::vector<const encoders::FeaturisedMolecule*> all(kMolecules, molecule.get());
  std::vector<float> rows(kMolecules * encoder.width());
  const PeakCounter peak(state, device);
  const std::uint64_t budget = static_cast<std::uint64_t>(state.range(0)) << 20;
  const std::uint64_t reserved = torch::device_probe(device)->read().reserved;
  torch::limit_device_memory(device, reserved + budget);

  memory::Workload workload;
  workload.name = "encoding";
  workload.unit = "molecules";
  workload.projected_bytes = [](std::size_t count) { return count * kBytesPerMolecule; };
  workload.planned = 1;
  while (workload.planned < kMolecules && workload.projected_bytes(2 * workload.planned) <= budget) {
    workload.planned *= 2;
  }
  memory::Recovery recovery(workload, torch::allocator_access(device));
  const auto encode_all = [&] {
    for (std::size_t done = 0; done < kMolecules;) {
      const std::size_t count = std::min(recovery.at_once(), kMolecules - done);
      const auto part = std::span(rows).subspan(done * encoder.width(), count * encoder.width());
      const bool is_done = recovery.attempt(count, memory::Recovery::Divisible::yes, [&] {
        encoder.encode(std::span(all).subspan(done, count), part);
      });
      done += is_done ? count : 0;
    }
  };
  try {
    for (auto _ : state) {
      encode_all();
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
  torch::limit_device_memory(device, torch::device_space(device).total);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kMolecules));
  state.counters["batch"] = static_cast<double>(recovery.counts().used);
  state.counters["recoveries"] = static_cast<double>(recovery.counts().recoveries);
}

void register_on(c10::Device device, const std::vector<Precision>& precisions,
                 const std::vector<std::int64_t>& batches) {
  const std::string name = device.is_cpu() ? "cpu" : "cuda";
  for (const Precision precision : precisions) {
    benchmark::RegisterBenchmark(fmt::format("encode/{}/{}", name, ops::to_string(precision)).c_str(), encode,
                                 device, precision)
        ->ArgsProduct({batches})
        ->UseRealTime();
  }
  for (const auto autocast : {Autocast::off, Autocast::bf16}) {
    benchmark::RegisterBenchmark(
        fmt::format("epoch/{}/{}", name, autocast == Autocast::off ? "fp32" : "bf16").c_str(), epoch, device,
        autocast)
        ->Arg(512)
        ->Arg(2000)
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace molgauge

/// The options of Google Benchmark, such as --benchmark_filter.
int main(int argc, char** argv) {
  using namespace molgauge;
  benchmark::Initialize(&argc, argv);
  set_log_level(LogLevel::off);
  const molgauge::torch::OperatorThreads threads(static_cast<int>(available_processors()));
  register_on(c10::kCPU, {Precision::fp32}, {72, 700});
  if (molgauge::torch::gpu_count() > 0) {
    const c10::Device gpu(c10::kCUDA, 0);
    register_on(gpu, {Precision::fp32, Precision::tf32, Precision::bf16}, {1, 8, 72, 300, 700, 2800, 11200});
    for (const Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16}) {
      benchmark::RegisterBenchmark(fmt::format("unimol/cuda/{}", ops::to_string(precision)).c_str(),
                                   encode_unimol, gpu, precision)
          ->Arg(32)
          ->Arg(2048)
          ->UseRealTime();
    }
    benchmark::RegisterBenchmark("budget/cuda/fp32", encode_within, gpu)
        ->Arg(128)
        ->Arg(256)
        ->Arg(512)
        ->Arg(1024)
        ->Arg(4096)
        ->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
}
