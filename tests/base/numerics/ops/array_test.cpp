#include "base/numerics/ops/array.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <gmock/gmock.h>

#include "base/memory/measure/tensor_memory.h"

namespace molgauge::ops {
namespace {

using Shape = std::vector<std::int64_t>;

std::uint64_t allocated_bytes() { return memory::tensor_memory().allocated_bytes(); }

TEST(Array, HoldsNothingAtFirst) {
  const std::uint64_t before = allocated_bytes();
  const Floats array;
  EXPECT_FALSE(array.defined());
  EXPECT_EQ(array.data(), nullptr);
  EXPECT_EQ(allocated_bytes(), before);
}

TEST(Array, KnowsItsShape) {
  const Floats array{2, 3, 4};
  EXPECT_TRUE(array.defined());
  EXPECT_EQ(array.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(array.size(0), 2);
  EXPECT_EQ(array.size(1), 3);
  EXPECT_EQ(array.width(), 4);
  EXPECT_EQ(array.rows(), 6);
  EXPECT_EQ(array.count(), 24);
  EXPECT_EQ(array.bytes(), 24U * sizeof(float));
  EXPECT_EQ(array.numbers().size(), 24U);
  EXPECT_EQ(array.numbers().data(), array.data());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
}

TEST(Array, OfOneAxisIsOneRow) {
  const Integers array{5};
  EXPECT_EQ(array.shape(), Shape{5});
  EXPECT_EQ(array.rows(), 1);
  EXPECT_EQ(array.width(), 5);
  EXPECT_EQ(array.bytes(), 5U * sizeof(std::int64_t));
}

TEST(Array, CopiesShareTheNumbers) {
  Floats copy;
  {
    Floats array{2, 2};
    std::fill_n(array.data(), 4, 1.0F);
    copy = array;
    EXPECT_EQ(copy.data(), array.data());
    array.data()[3] = 7.0F;
  }
  EXPECT_EQ(copy.shape(), (Shape{2, 2}));
  EXPECT_EQ(copy.numbers()[0], 1.0F);
  EXPECT_EQ(copy.numbers()[3], 7.0F) << "written before the first owner was destroyed";
}

TEST(Array, ReshapedSharesTheNumbers) {
  Floats array = Floats::zeros({2, 6});
  const Floats reshaped = array.reshaped({3, 4});
  EXPECT_EQ(reshaped.shape(), (Shape{3, 4}));
  EXPECT_EQ(array.shape(), (Shape{2, 6}));
  array.data()[11] = 5.0F;
  EXPECT_EQ(reshaped.data()[11], 5.0F);
}

TEST(Array, ZerosAreZerosWhereOtherNumbersWere) {
  for (int round = 0; round < 3; ++round) {
    Floats array = Floats::zeros({30, 7});
    EXPECT_TRUE(std::all_of(array.numbers().begin(), array.numbers().end(),
                            [](float number) { return number == 0.0F; }));
    std::fill_n(array.data(), array.count(), 3.0F);
  }
}

TEST(Array, AViewIsOfNumbersOfSomebodyElse) {
  std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const std::uint64_t before = allocated_bytes();
  {
    Floats view = Floats::view(numbers.data(), {3, 2});
    EXPECT_TRUE(view.defined());
    EXPECT_EQ(view.data(), numbers.data());
    EXPECT_EQ(view.rows(), 3);
    EXPECT_EQ(allocated_bytes(), before);
    view.data()[5] = 60.0F;
  }
  EXPECT_EQ(allocated_bytes(), before);
  EXPECT_EQ(numbers, (std::vector<float>{1, 2, 3, 4, 5, 60}));
}

TEST(Array, OfNoNumbersHasAShapeAndTakesNoMemory) {
  const std::uint64_t before = allocated_bytes();
  const Floats no_rows{0, 3}, no_columns{3, 0};
  const Integers nothing = Integers::zeros({0});
  EXPECT_TRUE(no_rows.defined());
  EXPECT_EQ(no_rows.rows(), 0);
  EXPECT_EQ(no_rows.width(), 3);
  EXPECT_EQ(no_rows.bytes(), 0U);
  EXPECT_TRUE(no_rows.numbers().empty());
  EXPECT_EQ(no_columns.rows(), 3);
  EXPECT_EQ(no_columns.count(), 0);
  EXPECT_TRUE(nothing.defined());
  EXPECT_EQ(nothing.count(), 0);
  EXPECT_EQ(allocated_bytes(), before);
}

TEST(Array, IsCountedOnceWhileAnyCopyLives) {
  const std::uint64_t before = allocated_bytes();
  std::optional<Floats> array(Floats{1000, 256});
  EXPECT_EQ(allocated_bytes() - before, 1000U * 256U * 4U);
  EXPECT_EQ(array->bytes(), 1000U * 256U * 4U);
  {
    const Floats copy = *array, reshaped = array->reshaped({256'000});
    EXPECT_EQ(allocated_bytes() - before, 1000U * 256U * 4U);
    array.reset();
    EXPECT_EQ(allocated_bytes() - before, 1000U * 256U * 4U);
  }
  EXPECT_EQ(allocated_bytes(), before);
}

TEST(Array, OfAnyNumbersIsCountedInBytes) {
  const std::uint64_t before = allocated_bytes();
  const Array<std::uint8_t> bytes{7};
  const Array<double> doubles = Array<double>::zeros({3, 5});
  EXPECT_EQ(allocated_bytes() - before, 7U + 15U * sizeof(double));
}

TEST(Array, ThatGoesBeyondTheLimitIsRefused) {
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::uint64_t before = meter.allocated_bytes(), refusals = meter.refusals();
  {
    const memory::AllocationLimit limit(meter, before + (1U << 20U));
    const Floats fits{1 << 17};
    try {
      const Floats array{1 << 20};
      FAIL() << "4 MiB within a limit of 1 MiB";
    } catch (const memory::OutOfTensorMemory& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("4.00 MiB more do not fit"));
    }
    EXPECT_THROW(Floats::zeros({1 << 20}), memory::OutOfTensorMemory);
    EXPECT_EQ(meter.allocated_bytes() - before, fits.bytes()) << "refused memory is not counted";
  }
  EXPECT_EQ(meter.refusals() - refusals, 2U);
  EXPECT_EQ(meter.allocated_bytes(), before);
  EXPECT_EQ(Floats{1 << 20}.count(), 1 << 20);
}

TEST(Array, OfMoreThanAnyMemoryIsRefused) {
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_THROW((Floats{large, large}), memory::OutOfTensorMemory);
}

}  // namespace
}  // namespace molgauge::ops
