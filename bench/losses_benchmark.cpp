// The pairwise losses, and an epoch of training a head on frozen features.

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <spdlog/spdlog.h>

#include "core/worker_group.h"
#include "ood/loss.h"
#include "ood/metrics.h"
#include "ood/trainer.h"

namespace headroom::ood {
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

/// Arguments: molecules a side, threads. Value and gradient.
void loss(benchmark::State& state, LossOptions options) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const auto id = energies(count, 0, 1), ood = energies(count, 1, 2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(energy_loss(id, ood, options, static_cast<std::size_t>(state.range(1))));
  }
  state.counters["pairs"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(count) * static_cast<double>(count),
      benchmark::Counter::kIsRate);
}

LossOptions dpo() { return {}; }

LossOptions hinge(double topk) {
  LossOptions options;
  options.kind = LossKind::hinge;
  options.hinge_topk = topk;
  return options;
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgsProduct({{512, 2000, 8192}, {1, 2}})
      ->ArgNames({"n", "threads"})
      ->Unit(benchmark::kMillisecond);
  benchmark->UseRealTime();
}

BENCHMARK_CAPTURE(loss, dpo, dpo())->Apply(sizes);
BENCHMARK_CAPTURE(loss, hinge, hinge(0))->Apply(sizes);
BENCHMARK_CAPTURE(loss, hinge_topk, hinge(0.25))->Apply(sizes);

void metrics(benchmark::State& state) {
  const auto id = energies(static_cast<std::size_t>(state.range(0)), 0, 1);
  const auto ood = energies(static_cast<std::size_t>(state.range(0)), 1, 2);
  for (auto _ : state) {
    benchmark::DoNotOptimize(detection_metrics(std::span<const float>(id), std::span<const float>(ood)));
  }
}

BENCHMARK(metrics)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

/// Arguments: batch size, threads. Seconds an epoch of 2,000 molecules a side, validation on 600 included.
void epoch(benchmark::State& state) {
  spdlog::set_level(spdlog::level::off);
  at::set_num_threads(static_cast<int>(state.range(1)));
  const auto run =
      std::filesystem::temp_directory_path() / ("headroom-bench-" + std::to_string(state.range(0)));
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
    ->UseRealTime();

}  // namespace
}  // namespace headroom::ood

BENCHMARK_MAIN();
