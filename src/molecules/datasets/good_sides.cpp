#include <algorithm>

#include "base/core/random/python_random.h"
#include "molecules/datasets/benchmark_sides.h"
#include "molecules/datasets/molecule_lists.h"
#include "molecules/datasets/split_parts.h"

namespace molgauge::datasets {
namespace {

constexpr std::uint64_t kGoodSeed = 42;

void hold_out_as_good(BenchmarkParts& parts) {
  constexpr std::size_t kFewToValidate = 100, kMaxToValidate = 1000;
  constexpr std::size_t kFewToTest = 200, kMaxToTest = 500;
  PythonRandom random(kGoodSeed);
  parts.iid_val = parts.train.size() > kFewToValidate
                      ? take(parts.train, random.sample(parts.train.size(),
                                                        std::min(parts.train.size() / 4, kMaxToValidate)))
                      : take_half(parts.train, random);
  if (parts.train.size() > kFewToTest) {
    const std::size_t count = std::min(parts.train.size() / 10, kMaxToTest);
    parts.iid_test = take(parts.train, PythonRandom(kGoodSeed + 2).sample(parts.train.size(), count));
  } else {
    const std::size_t half = parts.iid_val.size() / 2;
    parts.iid_test = slice(parts.iid_val, 0, half);
    parts.iid_val = slice(parts.iid_val, half, parts.iid_val.size());
  }
}

void share_ood_as_good(BenchmarkParts& parts, OodBenchmark& benchmark) {
  PythonRandom random(kGoodSeed);
  if (!parts.ood_val.empty()) {
    random.shuffle(parts.ood_val);
    const std::size_t train = portion(0.7, parts.ood_val.size());
    benchmark.train_ood = slice(parts.ood_val, 0, train);
    benchmark.val_ood = slice(parts.ood_val, train, parts.ood_val.size());
    benchmark.test_ood = std::move(parts.ood_test);
    return;
  }
  random.shuffle(parts.ood_test);
  const std::size_t count = parts.ood_test.size();
  benchmark.train_ood = slice(parts.ood_test, 0, count / 3);
  benchmark.val_ood = slice(parts.ood_test, count / 3, count * 2 / 3);
  benchmark.test_ood = slice(parts.ood_test, count * 2 / 3, count);
}

}  // namespace

OodBenchmark good_sides(BenchmarkParts parts, const OodSelection& selection) {
  if (parts.iid_val.empty() && parts.iid_test.empty()) {
    hold_out_as_good(parts);
  }
  OodBenchmark benchmark;
  share_ood_as_good(parts, benchmark);
  benchmark.train_id = std::move(parts.train);
  benchmark.val_id = std::move(parts.iid_val);
  benchmark.test_id = std::move(parts.iid_test);
  PythonRandom random(kGoodSeed);
  for (Molecules* side : {&benchmark.train_id, &benchmark.train_ood, &benchmark.val_ood, &benchmark.test_ood,
                          &benchmark.val_id, &benchmark.test_id}) {
    cut(*side, selection.debug_size, random);
  }
  return benchmark;
}

}  // namespace molgauge::datasets
