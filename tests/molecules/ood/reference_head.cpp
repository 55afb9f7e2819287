#include "reference_head.h"

#include "base/numerics/torch/tensor_files.h"
#include "molecules/ood/head/head_loss.h"
#include "molecules/ood/head/head_pass.h"

namespace molgauge::test {

ood::EnergyHead reference_head(const io::TensorMap& arrays, const std::string& name, double scale) {
  io::TensorMap own;
  for (const auto& [key, tensor] : arrays) {
    if (key.starts_with(name + ".")) {
      own[key.substr(name.size() + 1)] = tensor;
    }
  }
  for (const char* key : {"fc3.weight", "fc3.bias"}) {
    own[key] = torch::to_file(torch::from_file(own.at(key)) * scale);
  }
  return ood::EnergyHead(ood::HeadWeights::from_tensors(own, name));
}

ood::LossOptions loss_options(const nlohmann::json& config) {
  ood::LossOptions options;
  options.kind = from_word<Loss>(config.at("loss").get<std::string>()).value();
  options.dpo_beta = config.value("dpo_beta", options.dpo_beta);
  options.hinge_margin = config.value("hinge_margin", options.hinge_margin);
  options.hinge_topk = config.value("hinge_topk", options.hinge_topk);
  options.hinge_squared = config.value("hinge_squared", options.hinge_squared);
  options.lambda_reg = config.value("lambda_reg", options.lambda_reg);
  return options;
}

ood::LossValue backward(const ood::EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                        const ood::LossOptions& options) {
  ood::HeadPass pass(head, at::cat({id, ood}), {}, {});
  const ood::LossValue value = ood::head_loss(pass.energies(), id.size(0), options, 1);
  pass.backward(ood::energy_gradient(value, at::kCPU));
  return value;
}

std::vector<float> numbers(const at::Tensor& tensor, bool sampled) {
  const std::vector<float> all = ood::to_vector(tensor.flatten());
  std::vector<float> result;
  for (std::size_t i = 0; i < all.size(); i += sampled ? 37 : 1) {
    result.push_back(all[i]);
  }
  return result;
}

}  // namespace molgauge::test
