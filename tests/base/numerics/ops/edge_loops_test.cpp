// Tests the loops over edges and numbers that equivariant networks share.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "arrays.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/cpu/kernels.h"

namespace molgauge::ops::cpu {
namespace {

using test::normal_floats;

TEST(EdgeLoops, CopyRows) {
  const std::int64_t count = 5;
  for (const std::int64_t width : {1, 10, 16, 24, 48}) {
    const Floats from = normal_floats({count, width + 1});
    Floats to = Floats::zeros({count, width + 2});
    loops().copy_rows({.count = count,
                       .width = width,
                       .from = from.data(),
                       .from_row = width + 1,
                       .to = to.data(),
                       .to_row = width + 2});
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t k = 0; k < width; ++k) {
        ASSERT_EQ(to.data()[i * (width + 2) + k], from.data()[i * (width + 1) + k]) << width;
      }
      ASSERT_EQ(to.data()[i * (width + 2) + width], 0) << width;
    }
  }
}

TEST(EdgeLoops, RowsBecomeColumns) {
  for (const std::int64_t count : {1, 4, 15, 16, 17, 40}) {
    for (const std::int64_t width : {1, 8, 9, 16, 33}) {
      for (const bool by_number : {false, true}) {
        const Floats from = normal_floats({count, width + 1});
        Floats to = Floats::zeros({width + 1, count + 2});
        std::vector<std::int64_t> numbers;
        for (std::int64_t i = 0; i < count; ++i) {
          numbers.push_back(by_number ? (3 * i + 1) % count : i);
        }
        loops().transpose({.count = count,
                           .width = width,
                           .from = from.data(),
                           .from_row = width + 1,
                           .to = to.data(),
                           .to_row = count + 2,
                           .from_numbers = by_number ? numbers.data() : nullptr});
        for (std::int64_t k = 0; k <= width; ++k) {
          for (std::int64_t i = 0; i < count + 2; ++i) {
            const bool is_outside = k == width || i >= count;
            ASSERT_EQ(to.data()[k * (count + 2) + i],
                      is_outside ? 0 : from.data()[numbers[static_cast<std::size_t>(i)] * (width + 1) + k])
                << count << " x " << width;
          }
        }
      }
    }
  }
}

TEST(EdgeLoops, SumRunsOfEveryLength) {
  const std::int64_t rows = 3, stride = 40 + kProductColumns;
  const Floats numbers = normal_floats({rows, stride});
  for (std::int64_t count = 0; count <= 40; ++count) {
    std::vector<float> sums(rows);
    loops().sum_runs({.numbers = numbers.data(), .rows = rows, .count = count, .stride = stride},
                     sums.data());
    for (std::int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        sum += double{numbers.data()[row * stride + i]};
      }
      ASSERT_NEAR(sums[static_cast<std::size_t>(row)], sum, 1e-5) << count;
    }
  }
}

TEST(EdgeLoops, SinesAreThoseOfTheLibrary) {
  std::vector<double> angles;
  for (double x = 1e-9; x < 1e6; x *= 1.01) {
    angles.insert(angles.end(), {x, -x});
  }
  std::vector<double> sines = angles;
  loops().sine(sines.size(), sines.data());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    ASSERT_NEAR(sines[i], std::sin(angles[i]), 1e-10) << angles[i];
    if (std::abs(angles[i]) < 1) {
      ASSERT_NEAR(sines[i] / std::sin(angles[i]), 1, 1e-12) << angles[i];
    }
  }
  double number = std::numeric_limits<double>::quiet_NaN();
  loops().sine(1, &number);
  EXPECT_TRUE(std::isnan(number));
}

TEST(EdgeLoops, SigmoidsAndSilusAreTheirFormulas) {
  std::vector<float> numbers;
  for (float x = -100; x <= 100; x += 0.37F) {
    numbers.push_back(x);
  }
  std::vector<float> sigmoids(numbers.size()), silus(numbers.size());
  loops().sigmoid(numbers.size(), numbers.data(), sigmoids.data());
  loops().silu(numbers.size(), numbers.data(), silus.data());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers[i], sigmoid = 1 / (1 + std::exp(-x));
    ASSERT_NEAR(sigmoids[i], sigmoid, 2e-7) << x;
    ASSERT_NEAR(silus[i], x * sigmoid, 2e-7 * (1 + std::abs(x))) << x;
  }
}

/// exp() shifts the payload bits of a NaN. Without care, the NaN could become a number.
TEST(EdgeLoops, EveryNaNStaysOne) {
  for (const std::uint32_t sign : {0U, 0x80000000U}) {
    std::vector<float> numbers;
    for (std::uint32_t payload = 1; payload < 0x800000U; payload = payload * 2 + (payload % 3)) {
      numbers.push_back(std::bit_cast<float>(sign | 0x7f800000U | payload));
    }
    std::vector<float> sigmoids(numbers.size()), silus(numbers.size()), gradients(numbers.size(), 1.0F);
    loops().sigmoid(numbers.size(), numbers.data(), sigmoids.data());
    loops().silu(numbers.size(), numbers.data(), silus.data());
    loops().silu_backward(numbers.size(), numbers.data(), gradients.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_TRUE(std::isnan(sigmoids[i]) && std::isnan(silus[i]) && std::isnan(gradients[i]))
          << std::hex << std::bit_cast<std::uint32_t>(numbers[i]);
    }
  }
}

}  // namespace
}  // namespace molgauge::ops::cpu
