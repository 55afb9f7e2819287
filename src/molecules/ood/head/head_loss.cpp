#include "molecules/ood/head/head_loss.h"

#include <algorithm>
#include <span>

#include "base/numerics/torch/uploads.h"

namespace molgauge::ood {

std::vector<float> to_vector(const at::Tensor& energies) {
  const at::Tensor local = energies.detach().to(at::kCPU).contiguous();
  const auto* first = local.data_ptr<float>();
  return {first, first + local.numel()};
}

LossValue head_loss(const at::Tensor& energies, std::int64_t id_count, const LossOptions& options,
                    std::size_t threads) {
  const std::vector<float> all = to_vector(energies);
  const std::span<const float> both(all);
  const auto n = static_cast<std::size_t>(id_count);
  return energy_loss(both.first(n), both.subspan(n), options, threads);
}

at::Tensor energy_gradient(const LossValue& loss, at::Device device) {
  const std::size_t count = loss.id_gradient.size() + loss.ood_gradient.size();
  at::Tensor gradient = at::empty({static_cast<std::int64_t>(count)}, at::kFloat);
  auto* const rest = std::copy(loss.id_gradient.begin(), loss.id_gradient.end(), gradient.data_ptr<float>());
  std::copy(loss.ood_gradient.begin(), loss.ood_gradient.end(), rest);
  return torch::moved(gradient, device);
}

}  // namespace molgauge::ood
