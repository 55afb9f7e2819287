#include "base/numerics/torch/optimizer_by_steps.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "base/numerics/torch/cuda/optimizer_steps.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {

void adamw_by_steps(const std::vector<AdamWParameter>& parameters, const AdamWNumbers& numbers) {
  std::vector<at::Tensor> gradients;
  gradients.reserve(parameters.size());
  for (const AdamWParameter& parameter : parameters) {
    gradients.push_back(parameter.gradient.contiguous());
  }
  constexpr std::size_t kMax = cuda::AdamWUpdate::kMaxSlots;
  for (std::size_t first = 0; first < parameters.size(); first += kMax) {
    const std::size_t count = std::min(kMax, parameters.size() - first);
    cuda::AdamWUpdate update{.slots = {},
                             .count = static_cast<int>(count),
                             .beta1 = static_cast<float>(numbers.beta1),
                             .beta2 = static_cast<float>(numbers.beta2),
                             .epsilon = static_cast<float>(numbers.epsilon),
                             .square_correction = static_cast<float>(numbers.square_correction)};
    std::int64_t end = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const AdamWParameter& parameter = parameters[first + i];
      end += parameter.value.numel();
      update.slots[i] = {.value = write_numbers<float>(parameter.value),
                         .gradient = read_numbers<float>(gradients[first + i]),
                         .mean = write_numbers<float>(parameter.mean),
                         .square_mean = write_numbers<float>(parameter.square_mean),
                         .end = end,
                         .decay = static_cast<float>(parameter.decay),
                         .rate = static_cast<float>(parameter.rate)};
    }
    run_kernel(update, end, parameters[first].value.device());
  }
}

at::Tensor square_sums(const std::vector<at::Tensor>& arrays) {
  using Work = cuda::SquareSums;
  const auto tiles_of = [](const at::Tensor& array) {
    return (array.numel() + Work::kNumbers - 1) / Work::kNumbers;
  };
  std::int64_t parts = 0;
  for (const at::Tensor& array : arrays) {
    parts += tiles_of(array);
  }
  at::Tensor sums = at::empty({parts}, arrays.front().options().dtype(at::kDouble));
  std::int64_t done = 0;
  for (std::size_t first = 0; first < arrays.size(); first += Work::kMaxSlots) {
    Work work{.slots = {}, .sums = write_numbers<double>(sums) + done};
    std::int64_t tiles = 0;
    for (std::size_t i = first; i < std::min<std::size_t>(first + Work::kMaxSlots, arrays.size()); ++i) {
      tiles += tiles_of(arrays[i]);
      work.slots[i - first] = {
          .numbers = read_numbers<float>(arrays[i]), .count = arrays[i].numel(), .end = tiles};
    }
    run_tiles(work, tiles, sums.device());
    done += tiles;
  }
  return sums;
}

}  // namespace molgauge::torch
