// Writes 41,127 feature rows to a new store, as `molgauge encode` does. The first argument is the number of
// rows in a transaction, the second the width of a row. $MOLGAUGE_BENCH_FOLDER names the folder of the store.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/core/hash.h"
#include "molecules/store/features/feature_store.h"

namespace molgauge::store {
namespace {

constexpr std::size_t kRows = 41127;  // the molecules of HIV

void write_rows(benchmark::State& state) {
  const auto together = static_cast<std::size_t>(state.range(0)),
             width = static_cast<std::size_t>(state.range(1));
  const char* const given = std::getenv("MOLGAUGE_BENCH_FOLDER");
  const std::filesystem::path folder =
      (given != nullptr ? std::filesystem::path(given) : std::filesystem::temp_directory_path()) /
      "bench-store";
  std::vector<Hash128> keys;
  for (std::size_t i = 0; i < kRows; ++i) {
    keys.push_back(hash128(std::to_string(i)));
  }
  const std::vector<float> rows(together * width, 0.5F);
  for ([[maybe_unused]] const auto step : state) {
    state.PauseTiming();
    std::filesystem::remove_all(folder);
    state.ResumeTiming();
    const FeatureTable table = FeatureStore::open(folder, Access::write).table({"bench", "", "", width});
    for (std::size_t first = 0; first < kRows; first += together) {
      const std::size_t count = std::min(together, kRows - first);
      table.write(std::span(keys).subspan(first, count), std::span(rows).first(count * width));
    }
  }
  std::filesystem::remove_all(folder);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRows));
}
BENCHMARK(write_rows)
    ->ArgNames({"together", "width"})
    ->ArgsProduct({{100, 1000, 10000}, {512, 2048}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace molgauge::store

BENCHMARK_MAIN();
