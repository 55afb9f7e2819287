#include "molecules/datasets/benchmark_selection.h"

#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/core/text/printable.h"
#include "base/core/text/utf8.h"
#include "molecules/datasets/load_benchmark.h"
#include "molecules/datasets/split_cache.h"

namespace molgauge::datasets {
namespace {

constexpr std::size_t kShownText = 80;

std::optional<datasets::BenchmarkKind> kind_of(DatasetType type) {
  if (type == DatasetType::automatic) {
    return std::nullopt;
  }
  return type == DatasetType::good ? datasets::BenchmarkKind::good : datasets::BenchmarkKind::drugood;
}

datasets::OodBenchmark cached_molecules(const TrainRequest& request, const ComputeOptions& compute) {
  auto cache = datasets::read_split_cache(
      request.splits_cache, {.benchmark_file = request.benchmark, .data_seed = request.data_seed});
  for (const auto& mismatch : cache.mismatches) {
    log_warning("{}: {}. Its molecules are used anyway", request.splits_cache, mismatch);
  }
  datasets::examine_ood_benchmark(cache.benchmark, request.splits_cache, request.allow_overlap, compute);
  return std::move(cache.benchmark);
}

}  // namespace

datasets::OodSelection selection_of(const BenchmarkDraw& draw) {
  datasets::OodSelection selection;
  selection.kind = kind_of(draw.dataset_type);
  selection.data_seed = draw.data_seed;
  selection.train_size = draw.train_size;
  selection.val_size = draw.val_size;
  selection.test_size = draw.test_size;
  selection.debug_size = draw.debug_dataset_size;
  selection.held_out_seed = draw.held_out_seed;
  selection.allow_overlap = draw.allow_overlap;
  return selection;
}

void refuse_if_strict(bool strict, const std::vector<FailedMolecule>& failed) {
  if (strict && !failed.empty()) {
    const FailedMolecule& first = failed.front();
    throw InputError(
        fmt::format("{}:{}: '{}' is not a molecule: {}. Without --strict such molecules are left out",
                    first.file, first.line, printable(utf8_beginning(first.text, kShownText)), first.reason));
  }
}

datasets::OodBenchmark benchmark_molecules(const TrainRequest& request, const ComputeOptions& compute) {
  if (!request.splits_cache.empty()) {
    return cached_molecules(request, compute);
  }
  return datasets::load_ood_benchmark(request.benchmark, selection_of(request), compute);
}

}  // namespace molgauge::datasets
