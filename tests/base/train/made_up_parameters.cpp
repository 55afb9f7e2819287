#include "made_up_parameters.h"

#include <utility>

namespace molgauge::test {

train::Parameters made_up_parameters(const train::GroupOptions& options) {
  const at::Tensor numbers = at::arange(9, at::kFloat).div_(10).sub_(0.35);
  train::ParameterGroup group{.name = "all", .parameters = {}, .options = options};
  group.parameters.push_back({"weight", numbers.narrow(0, 0, 6).view({3, 2}).clone().requires_grad_(true)});
  group.parameters.push_back({"bias", numbers.narrow(0, 6, 3).clone().requires_grad_(true)});
  return train::Parameters({std::move(group)});
}

train::Parameters copy_of(const train::Parameters& parameters) {
  std::vector<train::ParameterGroup> groups = parameters.groups();
  for (train::ParameterGroup& group : groups) {
    for (train::Parameter& parameter : group.parameters) {
      parameter.value = parameter.value.detach().clone().requires_grad_(parameter.value.requires_grad());
    }
  }
  return train::Parameters(std::move(groups));
}

void set_gradients(const train::Parameters& parameters, double number) {
  parameters.for_each_trained([&](const train::ParameterGroup&, const train::Parameter& parameter) {
    parameter.value.mutable_grad() = at::full_like(parameter.value, number).detach();
  });
}

std::vector<float> numbers_of(const train::Parameters& parameters) {
  std::vector<float> numbers;
  for (const train::Parameter& parameter : parameters.all()) {
    const float* const first = parameter.value.data_ptr<float>();
    numbers.insert(numbers.end(), first, first + parameter.value.numel());
  }
  return numbers;
}

}  // namespace molgauge::test
