// Measures the pairwise losses, and an epoch of training a head on frozen features. bench/peers/heads.py
// writes the energies for the losses to the file in $MOLGAUGE_BENCH_ENERGIES, as float32. The ID energies
// come first, and the same number of OOD energies follows.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include "base/core/session/log.h"
#include "base/memory/measure/host_heap.h"
#include "base/memory/measure/host_peak.h"
#include "molecules/ood/losses/loss.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/trainer.h"

namespace molgauge::ood {
namespace {

std::vector<float> energies(std::size_t count, double mean, std::uint32_t seed) {
  std::mt19937 bits(seed);
  std::normal_distribution<double> normal(mean, 1.0);
  std::vector<float> result(count);
  for (float& energy : result) {
    energy = static_cast<float>(normal(bits));
  }
  return result;
}

struct Energies {
  std::vector<float> id, ood;
};

/// Reads the energies from the file if it contains enough of them. Otherwise draws random energies.
Energies both_sides(std::size_t count) {
  Energies made{energies(count, 0, 1), energies(count, 1, 2)};
  const char* const named = std::getenv("MOLGAUGE_BENCH_ENERGIES");
  std::ifstream file(named == nullptr ? "" : named, std::ios::binary);
  std::vector<float> given(2 * count);
  if (file.read(reinterpret_cast<char*>(given.data()), static_cast<std::streamsize>(8 * count))) {
    const auto middle = given.begin() + static_cast<std::ptrdiff_t>(count);
    std::copy(given.begin(), middle, made.id.begin());
    std::copy(middle, given.end(), made.ood.begin());
  }
  return made;
}

/// The arguments are the number of molecules on each side and the number of threads. Computes value and
/// gradient.
void loss(benchmark::State& state, LossOptions options) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const auto threads = static_cast<std::size_t>(state.range(1));
  const auto [id, ood] = both_sides(count);
  for (auto _ : state) {
    benchmark::DoNotOptimize(energy_loss(id, ood, options, threads));
  }
  state.counters["value"] = energy_loss(id, ood, options, threads).total;
  state.counters["pairs"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(count) * static_cast<double>(count),
      benchmark::Counter::kIsRate);
}

/// Measures the memory that the loss adds to the resident memory at its peak. Run this benchmark alone,
/// because memory of earlier work is reused.
void loss_memory(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const auto [id, ood] = both_sides(count);
  memory::HostPeak peak;
  const std::uint64_t before = peak.bytes();
  for (auto _ : state) {
    benchmark::DoNotOptimize(energy_loss(id, ood, {}, static_cast<std::size_t>(state.range(1))));
  }
  state.counters["extra_bytes"] = static_cast<double>(peak.bytes() - before);
}

LossOptions dpo() { return {}; }

LossOptions hinge(double topk) {
  LossOptions options;
  options.kind = Loss::hinge;
  options.hinge_topk = topk;
  return options;
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgsProduct({{512, 2000, 8192}, {1, 2}})
      ->ArgNames({"n", "threads"})
      ->Unit(benchmark::kMillisecond);
  benchmark->MeasureProcessCPUTime();
  benchmark->UseRealTime();
}

BENCHMARK_CAPTURE(loss, dpo, dpo())->Apply(sizes)->Args({100'000, 1})->Args({100'000, 2});
BENCHMARK_CAPTURE(loss, hinge, hinge(0))->Apply(sizes);
BENCHMARK_CAPTURE(loss, hinge_topk, hinge(0.25))->Apply(sizes);

BENCHMARK(loss_memory)
    ->ArgsProduct({{512, 2000, 8192, 100'000}, {1, 2}})
    ->ArgNames({"n", "threads"})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

void metrics(benchmark::State& state) {
  const auto id = energies(static_cast<std::size_t>(state.range(0)), 0, 1);
  const auto ood = energies(static_cast<std::size_t>(state.range(0)), 1, 2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(detection_metrics(std::span<const float>(id), std::span<const float>(ood)));
  }
}

BENCHMARK(metrics)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

/// The arguments are the batch size and the number of threads. Measures the seconds of an epoch of 2,000
/// molecules on each side, including a validation on 600.
void epoch(benchmark::State& state) {
  set_log_level(LogLevel::off);
  at::set_num_threads(static_cast<int>(state.range(1)));
  memory::tune_heap(static_cast<std::size_t>(state.range(1)));  // every verb does this too
  const auto run =
      std::filesystem::temp_directory_path() / ("molgauge-bench-" + std::to_string(state.range(0)));
  const TrainingData data{at::randn({2000, 512}), at::randn({2000, 512}), at::randn({600, 512}),
                          at::randn({600, 512})};
  TrainingOptions options;
  options.batch_size = static_cast<std::size_t>(state.range(0));
  options.epochs = options.patience = 20;
  options.resume = false;
  options.quiet = true;
  double seconds = 0;
  for (auto _ : state) {
    seconds += train_energy_head(data, options, run).avg_epoch_time_seconds;
  }
  std::filesystem::remove_all(run);
  state.counters["seconds_per_epoch"] = seconds / static_cast<double>(state.iterations());
}

BENCHMARK(epoch)
    ->ArgsProduct({{512, 8192}, {1, 2}})
    ->ArgNames({"batch", "threads"})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace molgauge::ood

BENCHMARK_MAIN();
