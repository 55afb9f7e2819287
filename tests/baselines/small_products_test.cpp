#include "baselines/small_products.h"

#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

namespace headroom::baselines {
namespace {

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::detail::createCPUGenerator(seed));
}

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) {
  at::Tensor y = at::empty({x.size(0), w.size(0)});
  apply_linear({size(x.size(0)), size(x.size(1)), size(w.size(0))}, x.data_ptr<float>(), w.data_ptr<float>(),
               bias.data_ptr<float>(), y.data_ptr<float>());
  return y;
}

/// Sizes that fill no tile among them.
TEST(SmallProducts, EqualTheMatrixLibrarys) {
  for (const std::int64_t rows : {1, 4, 7, 33}) {
    for (const std::int64_t inputs : {1, 8, 64, 77}) {
      for (const std::int64_t outputs : {1, 2, 5, 64}) {
        const at::Tensor x = random({rows, inputs}, 1), w = random({outputs, inputs}, 2);
        const at::Tensor bias = random({outputs}, 3), gradient = random({rows, outputs}, 4);
        EXPECT_TRUE(at::allclose(linear(x, w, bias), at::mm(x, w.t()) + bias, 1e-4, 1e-4));

        at::Tensor of_weights = at::full({outputs, inputs}, 9.0);
        add_weighted_rows({.sums = size(outputs),
                           .terms = size(rows),
                           .width = size(inputs),
                           .sum_stride = 1,
                           .term_stride = size(outputs)},
                          gradient.data_ptr<float>(), x.data_ptr<float>(), of_weights.data_ptr<float>());
        EXPECT_TRUE(at::allclose(of_weights, at::mm(gradient.t(), x), 1e-4, 1e-4));

        at::Tensor of_inputs = at::full({rows, inputs}, 9.0);
        add_weighted_rows({.sums = size(rows),
                           .terms = size(outputs),
                           .width = size(inputs),
                           .sum_stride = size(outputs),
                           .term_stride = 1},
                          gradient.data_ptr<float>(), w.data_ptr<float>(), of_inputs.data_ptr<float>());
        EXPECT_TRUE(at::allclose(of_inputs, at::mm(gradient, w), 1e-4, 1e-4));
      }
    }
  }
}

TEST(SmallProducts, OfARowDoNotDependOnTheOthers) {
  const at::Tensor x = random({11, 77}, 5), w = random({6, 77}, 6), bias = random({6}, 7);
  const at::Tensor together = linear(x, w, bias);
  for (std::int64_t row = 0; row < 11; ++row) {
    EXPECT_TRUE(at::equal(linear(x.narrow(0, row, 1), w, bias), together.narrow(0, row, 1)));
  }
}

}  // namespace
}  // namespace headroom::baselines
