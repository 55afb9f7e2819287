// Reads stored features into one matrix, as training does. $MOLGAUGE_BENCH_STORE names the store, and
// $MOLGAUGE_BENCH_MOLECULES the file with the SMILES lines. bench/peers/heads.py makes both.

#include <cstdlib>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "base/core/hash.h"
#include "molecules/encoding/pipeline/feature_rows.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/store/features/feature_store.h"

namespace molgauge::pipeline {
namespace {

std::vector<Hash128> keys_of_lines(const char* path) {
  std::vector<Hash128> keys;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    keys.push_back(hash128(line));
  }
  return keys;
}

store::FeatureTable only_table(const store::FeatureStore& features) {
  return features.table(features.report().tables.at(0).name);
}

std::span<float> numbers_of(const at::Tensor& matrix) {
  return {matrix.data_ptr<float>(), static_cast<std::size_t>(matrix.numel())};
}

/// The argument is the number of threads. The time includes opening the store and making the matrix. The sum
/// of all numbers shows that the rows are correct.
void read_features(benchmark::State& state) {
  const char* const folder = std::getenv("MOLGAUGE_BENCH_STORE");
  const char* const molecules = std::getenv("MOLGAUGE_BENCH_MOLECULES");
  if (folder == nullptr || molecules == nullptr) {
    state.SkipWithError("MOLGAUGE_BENCH_STORE and MOLGAUGE_BENCH_MOLECULES name no features");
    return;
  }
  const std::vector<Hash128> keys = keys_of_lines(molecules);
  at::Tensor matrix;
  for (auto _ : state) {
    state.PauseTiming();
    matrix.reset();
    state.ResumeTiming();
    const store::FeatureTable table = only_table(store::FeatureStore::open(folder, store::Access::read));
    StoredRows rows(table, static_cast<std::size_t>(state.range(0)));
    matrix = at::empty(
        {static_cast<std::int64_t>(keys.size()), static_cast<std::int64_t>(table.space().width)}, at::kFloat);
    if (gather_rows(rows, keys, numbers_of(matrix)) > 0) {
      state.SkipWithError("the store lacks some of the molecules");
      return;
    }
  }
  const std::span<const float> numbers = numbers_of(matrix);
  state.counters["sum"] = std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

BENCHMARK(read_features)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace molgauge::pipeline

BENCHMARK_MAIN();
