#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "levels.h"

namespace molgauge::ops::cpu {
namespace {

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

std::vector<double> normal_numbers(std::size_t count, double deviation, std::uint32_t seed) {
  std::mt19937 bits(seed);
  std::normal_distribution<double> normal(0, deviation);
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    number = normal(bits);
  }
  return numbers;
}

/// exp(sign * number), padded with zeros.
std::vector<double> exponentials(const std::vector<double>& numbers, double sign, std::size_t step) {
  std::vector<double> result((numbers.size() + step - 1) / step * step);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    result[i] = std::exp(sign * numbers[i]);
  }
  return result;
}

using PairKernel = EveryLevel;

/// With the largest standard deviation of the test, the product that the kernel forms in one step comes close
/// to the limits of a double.
TEST_P(PairKernel, EqualsTheSumPairByPair) {
  for (const double deviation : {0.01, 1.0, 10.0, 30.0}) {
    const auto a = normal_numbers(61, deviation, 1), b = normal_numbers(131, deviation, 2);
    const auto growth = exponentials(a, 1, kPairRows), decay = exponentials(b, -1, kPairColumns);
    double value = 0, largest = 0;
    std::vector<double> rows(a.size()), columns(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        const double x = a[i] - b[j], sigmoid = 1 / (1 + std::exp(-x));
        value += softplus(x);
        largest = std::max(largest, softplus(x));
        rows[i] += sigmoid;
        columns[j] += sigmoid;
      }
    }
    ASSERT_LE(largest, kLargestPairSoftplus);
    std::vector<double> row_sums(growth.size()), column_sums(decay.size());
    const double sum = kernels().preference_pairs({.growth = growth.data(),
                                                   .decay = decay.data(),
                                                   .row_sums = row_sums.data(),
                                                   .column_sums = column_sums.data(),
                                                   .largest_softplus = largest,
                                                   .rows = static_cast<std::int64_t>(growth.size()),
                                                   .columns = static_cast<std::int64_t>(decay.size())});
    EXPECT_NEAR(sum, value, 1e-12 * value);
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(growth[i] * row_sums[i], rows[i], 1e-12 * rows[i]) << i;
    }
    for (std::size_t j = 0; j < b.size(); ++j) {
      EXPECT_NEAR(decay[j] * column_sums[j], columns[j], 1e-12 * columns[j]) << j;
    }
  }
}

TEST_P(PairKernel, AddsToTheSums) {
  const std::vector<double> ones(8, 1.0);
  std::vector<double> row_sums(8, 5.0), column_sums(8, 7.0);
  const double sum = kernels().preference_pairs({.growth = ones.data(),
                                                 .decay = ones.data(),
                                                 .row_sums = row_sums.data(),
                                                 .column_sums = column_sums.data(),
                                                 .largest_softplus = std::log(2.0),
                                                 .rows = 8,
                                                 .columns = 8});
  EXPECT_DOUBLE_EQ(sum, 64 * std::log(2.0));
  EXPECT_EQ(row_sums, std::vector<double>(8, 9.0));
  EXPECT_EQ(column_sums, std::vector<double>(8, 11.0));
}

INSTANTIATE_TEST_SUITE_P(Levels, PairKernel, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace molgauge::ops::cpu
