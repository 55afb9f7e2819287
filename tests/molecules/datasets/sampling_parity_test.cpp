// Compares random draws with the reference data in data/ood, which section 8 of its README describes. The
// reference selects rows from lists of given lengths.

#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "base/core/random/numpy_random.h"
#include "base/core/random/python_random.h"
#include "base/io/tensors/npz.h"
#include "molecules/datasets/ood_benchmark.h"
#include "reference_tables.h"
#include "support/fixtures.h"

namespace molgauge::datasets {
namespace {

/// The offset of the data seed for each side: its number among the six parts.
std::map<std::string, std::uint64_t> side_numbers() {
  OodBenchmark benchmark;
  std::map<std::string, std::uint64_t> numbers;
  for (const OodSide& side : sides_of(benchmark)) {
    const std::uint64_t number = numbers.size() / 2;
    numbers[side.name()] = number;
    numbers[std::string("good_") + side.name()] = number;
  }
  return numbers;
}

TEST(SamplingParity, ChoicesEqualNumpysNumberForNumber) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  const auto numbers = side_numbers();
  std::size_t compared = 0;
  for (const auto& [name, rows] : io::read_npz(test::reference_data("ood/sampling.npz"))) {
    const auto side = numbers.find(name.substr(0, name.find('.')));
    if (side == numbers.end()) {
      continue;
    }
    const auto expected = test::to_rows(rows);
    NumpyRandom random(test::number_after(".seed", name) + side->second);
    EXPECT_EQ(random.choose(test::number_after(".raw", name), expected.size()), expected) << name;
    ++compared;
  }
  EXPECT_GT(compared, 0U);
}

TEST(SamplingParity, ShuffleEqualsPythonsNumberForNumber) {
  REQUIRE_REFERENCE("ood/sampling.npz");
  std::size_t compared = 0;
  for (const auto& [name, rows] : io::read_npz(test::reference_data("ood/sampling.npz"))) {
    if (name.starts_with("ood_shuffle.")) {
      std::vector<std::size_t> order(test::number_after(".n", name));
      std::iota(order.begin(), order.end(), std::size_t{0});
      PythonRandom(test::number_after(".seed", name)).shuffle(order);
      EXPECT_EQ(order, test::to_rows(rows)) << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace molgauge::datasets
