// Measures distances to neighbours, the local outlier factor, Ledoit-Wolf, and an epoch of the supervised
// classifier. The sizes are as in bench/peers/baselines.py.

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molecules/baselines/detectors/ledoit_wolf.h"
#include "molecules/baselines/detectors/nearest_neighbours.h"
#include "molecules/baselines/detectors/neighbour_detectors.h"

namespace molgauge::baselines {
namespace {

constexpr std::int64_t kTrain = 20000, kQueries = 5000, kWidth = 64;

RowBatches batches(const benchmark::State& state) { return {256, static_cast<std::size_t>(state.range(0))}; }

/// The argument is the number of threads. Finds the 50 nearest of 20,000 points for 5,000 queries.
void neighbours(benchmark::State& state) {
  const at::Tensor points = at::randn({kTrain, kWidth}), queries = at::randn({kQueries, kWidth});
  for (auto _ : state) {
    const NearestNeighbours search(points);
    for_each_batch(kQueries, batches(state), [&](std::int64_t first, std::int64_t count) {
      benchmark::DoNotOptimize(search.find(queries.narrow(0, first, count), 50));
    });
  }
}

/// The argument is the number of threads. Fits the local outlier factor with 20 neighbours to 20,000 points,
/// and scores 5,000 points.
void outlier_factor(benchmark::State& state) {
  const at::Tensor points = at::randn({kTrain, kWidth}), queries = at::randn({kQueries, kWidth});
  for (auto _ : state) {
    const LocalOutlierFactor factor(points, {.neighbours = 20}, batches(state));
    for_each_batch(kQueries, batches(state), [&](std::int64_t first, std::int64_t count) {
      benchmark::DoNotOptimize(factor.factors(queries.narrow(0, first, count)));
    });
  }
}

void covariance(benchmark::State& state) {
  const at::Tensor rows = at::randn({kTrain, kWidth});
  for (auto _ : state) {
    benchmark::DoNotOptimize(ledoit_wolf(rows));
  }
}

/// An epoch of the classifier on 2,000 molecules in batches of 32, including validation on 600 molecules.
void classifier_epoch(benchmark::State& state) {
  const auto part = [](std::int64_t rows) {
    return LabelledFeatures{at::randn({rows, 512}),
                            {LabelKind::classes, at::randint(0, 2, {rows, 1}).to(at::kFloat), 2}};
  };
  const ClassifierData data{part(2000), part(600)};
  ClassifierOptions options;
  options.epochs = options.patience = 10;
  double seconds = 0;
  for (auto _ : state) {
    seconds += train_classifier(data, options).seconds;
  }
  state.counters["seconds_per_epoch"] = seconds / static_cast<double>(10 * state.iterations());
}

BENCHMARK(neighbours)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(outlier_factor)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(covariance)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(classifier_epoch)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace molgauge::baselines

BENCHMARK_MAIN();
