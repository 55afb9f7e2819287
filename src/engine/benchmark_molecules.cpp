#include "engine/benchmark_molecules.h"

#include <spdlog/spdlog.h>

#include "datasets/load_benchmark.h"
#include "datasets/split_cache.h"

namespace headroom::verbs {
namespace {

datasets::OodBenchmark cached_molecules(const TrainRequest& request) {
  auto cache = datasets::read_split_cache(
      request.splits_cache, {.benchmark_file = request.benchmark, .data_seed = request.data_seed});
  for (const auto& mismatch : cache.mismatches) {
    spdlog::warn("{}: {}; its molecules are used all the same", request.splits_cache, mismatch);
  }
  return std::move(cache.benchmark);
}

}  // namespace

datasets::OodBenchmark benchmark_molecules(const TrainRequest& request) {
  if (!request.splits_cache.empty()) {
    return cached_molecules(request);
  }
  datasets::OodSelection selection;
  selection.data_seed = request.data_seed;
  selection.train_size = request.train_size;
  selection.val_size = request.val_size;
  selection.test_size = request.test_size;
  return datasets::load_ood_benchmark(request.benchmark, selection);
}

}  // namespace headroom::verbs
