#include "base/numerics/torch/arrays.h"

#include <stdexcept>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "arrays.h"
#include "base/memory/measure/tensor_memory.h"
#include "gpu.h"

namespace molgauge::torch {
namespace {

using test::floats;
using test::integers;

using Shape = std::vector<std::int64_t>;

TEST(Arrays, ATensorSharesTheNumbersOfAnArrayAndKeepsThemAlive) {
  const std::uint64_t before = memory::tensor_memory().allocated_bytes();
  {
    at::Tensor tensor;
    {
      ops::Floats array = floats({2, 3}, {1, 2, 3, 4, 5, 6});
      tensor = as_tensor(array);
      EXPECT_EQ(tensor.data_ptr(), array.data());
      array.data()[4] = 50.0F;
    }
    EXPECT_EQ(memory::tensor_memory().allocated_bytes() - before, 6U * sizeof(float));
    EXPECT_TRUE(at::equal(tensor, at::tensor({1.0F, 2.0F, 3.0F, 4.0F, 50.0F, 6.0F}).reshape({2, 3})));
  }
  EXPECT_EQ(memory::tensor_memory().allocated_bytes(), before);
}

TEST(Arrays, IntegersAreInt64) {
  const std::vector<std::int64_t> numbers = {3, -1, std::int64_t{1} << 40};
  EXPECT_TRUE(
      at::equal(as_tensor(integers(numbers)), at::tensor(at::ArrayRef<std::int64_t>(numbers), at::kLong)));
}

TEST(Arrays, AnArrayIsAViewOfATensor) {
  at::Tensor tensor = at::randn({4, 2, 3});
  ops::Floats array = as_array(tensor);
  EXPECT_EQ(array.shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(array.data(), tensor.data_ptr());
  tensor[3][1][2] = 9.0F;
  EXPECT_EQ(array.data()[23], 9.0F);
  const at::Tensor rows = tensor.narrow(0, 1, 2);
  EXPECT_EQ(as_array(rows).data(), array.data() + 6);
}

TEST(Arrays, WithoutNumbersHaveTheirShapes) {
  EXPECT_EQ(as_tensor(ops::Floats{0, 3}).sizes(), at::IntArrayRef({0, 3}));
  EXPECT_EQ(as_tensor(ops::Integers{0}).numel(), 0);
  EXPECT_EQ(as_tensor(ops::Integers{0}).dim(), 1);
  const at::Tensor none = at::empty({0, 7});
  EXPECT_EQ(as_array(none).shape(), (Shape{0, 7}));
}

TEST(Arrays, RefusesTensorsThatAreNoPlainFloats) {
  EXPECT_THROW(as_array(at::randn({3, 2}, at::kDouble)), std::invalid_argument);
  EXPECT_THROW(as_array(at::zeros({3}, at::kLong)), std::invalid_argument);
  EXPECT_THROW(as_array(at::randn({3, 2}).t()), std::invalid_argument);
}

TEST(Arrays, OnTheCpuAreNotCopied) {
  const ops::Floats array = floats({2}, {1, 2});
  EXPECT_EQ(on_device(array, c10::kCPU).data_ptr(), array.data());
  const ops::Integers numbers = integers({1, 2});
  EXPECT_EQ(on_device(numbers, c10::kCPU).data_ptr(), numbers.data());
}

TEST(ArraysOnGpu, AreCopied) {
  REQUIRE_GPU();
  at::Tensor there;
  {
    const ops::Floats array = floats({2, 2}, {1, 2, 3, 4});
    there = on_device(array, test::kGpu);
  }
  EXPECT_TRUE(there.is_cuda());
  EXPECT_TRUE(at::equal(there.to(at::kCPU), at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).reshape({2, 2})));
  EXPECT_TRUE(at::equal(on_device(integers({5, 6}), test::kGpu).to(at::kCPU), at::tensor({5, 6}, at::kLong)));
  EXPECT_THROW(as_array(there), std::invalid_argument);
}

}  // namespace
}  // namespace molgauge::torch
