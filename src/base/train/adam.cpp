#include "base/train/adam.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/numerics/ops/training/optimizer_kernels.h"
#include "base/numerics/torch/tensor_files.h"

namespace molgauge::train {
namespace {

/// A part of an array: contiguous numbers.
struct Run {
  float* parameters = nullptr;
  const float* gradient = nullptr;
  std::size_t count = 0;
};

io::TensorData to_file(const float* first, const at::Tensor& like) {
  return io::TensorData::from_float32(like.sizes().vec(), first);
}

}  // namespace

Adam::Adam(Parameters parameters, const AdamOptions& options)
    : parameters_(std::move(parameters)), options_(options) {
  mean_.resize(parameters_.trained_bytes() / sizeof(float));
  square_mean_.resize(mean_.size());
}

void Adam::step(const Clock& clock) {
  const auto number = static_cast<double>(++steps_);
  const double correction = 1 - std::pow(options_.beta1, number);
  const double square_correction = 1 - std::pow(options_.beta2, number);
  std::size_t place = 0;
  for (const ParameterGroup& group : parameters_.groups()) {
    if (group.options.frozen) {
      continue;
    }
    const ops::AdamStep numbers{static_cast<float>(group.options.weight_decay),
                                static_cast<float>(options_.beta1),
                                static_cast<float>(options_.beta2),
                                static_cast<float>(1 / std::sqrt(square_correction)),
                                static_cast<float>(options_.epsilon),
                                static_cast<float>(group.options.rate(clock) / correction)};
    Run run;
    const auto finish = [&] {
      ops::adam_update(run.count, numbers, run.gradient, run.parameters, &mean_[place], &square_mean_[place]);
      place += run.count;
    };
    for (const Parameter& parameter : group.parameters) {
      const at::Tensor& gradient = parameter.value.grad();
      Run next{parameter.value.data_ptr<float>(), gradient.data_ptr<float>(),
               static_cast<std::size_t>(parameter.value.numel())};
      if (next.parameters == run.parameters + run.count && next.gradient == run.gradient + run.count) {
        run.count += next.count;
        continue;
      }
      if (run.count > 0) {
        finish();
      }
      run = next;
    }
    if (run.count > 0) {
      finish();
    }
  }
}

std::uint64_t Adam::state_bytes() const { return 2 * mean_.size() * sizeof(float); }

void Adam::save(io::TensorMap& tensors) const {
  std::size_t place = 0;
  parameters_.for_each_trained([&](const ParameterGroup&, const Parameter& parameter) {
    tensors[kMeanPrefix + parameter.name] = to_file(&mean_[place], parameter.value);
    tensors[kSquareMeanPrefix + parameter.name] = to_file(&square_mean_[place], parameter.value);
    place += static_cast<std::size_t>(parameter.value.numel());
  });
}

void Adam::restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source) {
  std::size_t place = 0;
  parameters_.for_each_trained([&](const ParameterGroup&, const Parameter& parameter) {
    const auto take = [&](const std::string& name, std::vector<float>& into) {
      const at::Tensor numbers = torch::take_tensor(tensors, name, parameter.value.sizes(), source);
      std::copy_n(numbers.data_ptr<float>(), numbers.numel(),
                  into.begin() + static_cast<std::ptrdiff_t>(place));
    };
    take(kMeanPrefix + parameter.name, mean_);
    take(kSquareMeanPrefix + parameter.name, square_mean_);
    place += static_cast<std::size_t>(parameter.value.numel());
  });
  steps_ = steps;
}

}  // namespace molgauge::train
