#include "support/gradcheck.h"

#include <algorithm>
#include <cmath>

#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace molgauge::test {
namespace {

double number_at(const at::Tensor& tensor, std::int64_t place) {
  return tensor.scalar_type() == at::kDouble ? tensor.data_ptr<double>()[place]
                                             : static_cast<double>(tensor.data_ptr<float>()[place]);
}

void set(const at::Tensor& tensor, std::int64_t place, double number) {
  if (tensor.scalar_type() == at::kDouble) {
    tensor.data_ptr<double>()[place] = number;
  } else {
    tensor.data_ptr<float>()[place] = static_cast<float>(number);
  }
}

/// The slope of the value with respect to number `place` of the tensor.
double slope(const at::Tensor& tensor, std::int64_t place, double step,
             const std::function<double()>& value) {
  const double before = number_at(tensor, place);
  set(tensor, place, before + step);
  const double upper = number_at(tensor, place), above = value();
  set(tensor, place, before - step);
  const double lower = number_at(tensor, place), below = value();
  set(tensor, place, before);
  return (above - below) / (upper - lower);
}

}  // namespace

void expect_gradients(const std::vector<at::Tensor>& inputs,
                      const std::function<ValueAndGradients()>& function, const GradcheckOptions& options) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& gradient : function().gradients) {
    gradients.push_back(gradient.defined() ? gradient.detach().clone() : gradient);
  }
  ASSERT_EQ(gradients.size(), inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!gradients[i].defined()) {
      continue;
    }
    ASSERT_TRUE(inputs[i].is_contiguous()) << "input " << i;
    ASSERT_EQ(gradients[i].sizes(), inputs[i].sizes()) << "input " << i;
    const at::Tensor flat = gradients[i].to(at::kDouble).contiguous();
    const std::int64_t count = inputs[i].numel(), tried = std::min(count, options.most);
    for (std::int64_t k = 0; k < tried; ++k) {
      const std::int64_t place = k * count / tried;
      const double expected = slope(inputs[i], place, options.step, [&] { return function().value; });
      const double actual = flat.data_ptr<double>()[place];
      EXPECT_NEAR(actual, expected, options.tolerance * std::max({1.0, std::abs(actual), std::abs(expected)}))
          << "input " << i << ", number " << place;
    }
  }
}

void expect_gradients_of(std::vector<at::Tensor> inputs,
                         const std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>& function,
                         const GradcheckOptions& options) {
  for (at::Tensor& input : inputs) {
    input = input.detach().clone().to(at::kDouble).contiguous().requires_grad_(true);
  }
  std::vector<at::Tensor> numbers;
  for (const at::Tensor& input : inputs) {
    numbers.push_back(input.detach());  // this shares the storage, which the differences change
  }
  expect_gradients(
      numbers,
      [&] {
        const c10::AutoGradMode recording(true);
        const at::Tensor outputs = function(inputs);
        const at::Tensor weights = at::arange(1, outputs.numel() + 1, outputs.options().requires_grad(false))
                                       .sqrt()
                                       .view(outputs.sizes());
        const at::Tensor value = (outputs * weights).sum();
        for (const at::Tensor& input : inputs) {
          input.mutable_grad() = at::Tensor();
        }
        value.backward();
        ValueAndGradients result{value.item<double>(), {}};
        for (const at::Tensor& input : inputs) {
          result.gradients.push_back(input.grad());
        }
        return result;
      },
      options);
}

}  // namespace molgauge::test
