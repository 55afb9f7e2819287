#include "session/training/benchmark_molecules.h"

#include "core/log.h"
#include "datasets/load_benchmark.h"
#include "datasets/split_cache.h"
#include "session/training/benchmark_selection.h"

namespace headroom::session {
namespace {

datasets::OodBenchmark cached_molecules(const TrainRequest& request, const ComputeOptions& compute) {
  auto cache = datasets::read_split_cache(
      request.splits_cache, {.benchmark_file = request.benchmark, .data_seed = request.data_seed});
  for (const auto& mismatch : cache.mismatches) {
    log_warning("{}: {}; its molecules are used all the same", request.splits_cache, mismatch);
  }
  datasets::examine_ood_benchmark(cache.benchmark, request.splits_cache, request.allow_overlap, compute);
  return std::move(cache.benchmark);
}

}  // namespace

datasets::OodBenchmark benchmark_molecules(const TrainRequest& request, const ComputeOptions& compute) {
  if (!request.splits_cache.empty()) {
    return cached_molecules(request, compute);
  }
  return datasets::load_ood_benchmark(request.benchmark, selection_of(request), compute);
}

}  // namespace headroom::session
