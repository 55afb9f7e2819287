#include "base/numerics/torch/bfloat16_products.h"

#include <array>
#include <exception>

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <c10/core/GradMode.h>
#include <c10/util/BFloat16.h>

#include "base/numerics/torch/cpu_tensor_memory.h"

namespace molgauge::torch {
namespace {

/// The width of the test matrices. ATen passes only products with at least 16 x 16 x 16 multiplications to
/// oneDNN.
constexpr std::int64_t kWidth = 32;

bool try_products() {
  const c10::NoGradGuard no_gradient;
  try {
    // These arrays are on the stack, because the meter must not count memory that only the first step needs.
    std::array<c10::BFloat16, kWidth * kWidth> numbers{}, sums{};
    const at::Tensor square = at::from_blob(numbers.data(), {kWidth, kWidth}, at::kBFloat16);
    at::Tensor product = at::from_blob(sums.data(), {kWidth, kWidth}, at::kBFloat16);
    at::mm_out(product, square, square);
  } catch (const std::exception&) {
    if (is_out_of_memory(std::current_exception())) {
      throw;  // memory ran out, so it is still unknown whether oneDNN supports these products. The next call
              // tries again
    }
    at::globalContext().setUserEnabledMkldnn(false);
  }
  return true;
}

}  // namespace

void prepare_bfloat16_products() { [[maybe_unused]] static const bool tried = try_products(); }

}  // namespace molgauge::torch
