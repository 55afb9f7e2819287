#include "pockets/verbs/pocket_torch.h"

#include <algorithm>
#include <utility>

#include "base/numerics/torch/device.h"
#include "base/numerics/torch/message_kernels.h"
#include "base/runtime/torch_budget_errors.h"
#include "pockets/tensor_encoder.h"
#include "pockets/verbs/train/pocket_training.h"

namespace molgauge::verbs {
namespace {

using runtime::run_with_torch;
using runtime::within_tensor_memory;

class TorchPart final : public PocketTorch {
 public:
  PocketTrainReport train(const PocketTrainRequest& request) override {
    return run_with_torch(request, [&] { return train_pockets(request); });
  }
  std::vector<MemoryPlan> plan_memory(const PocketTrainRequest& request) override {
    return run_with_torch(request, [&] { return plan_training_verb(request); });
  }
  pocket::PocketEncoder make_encoder(const pocket::EncoderShape& shape,
                                     const pocket::ParameterReader& parameters,
                                     Device device) const override {
    pocket::PocketEncoder encode = within_tensor_memory(
        [&] { return pocket::make_tensor_encoder(shape, parameters, torch::to_c10(device)); });
    return [encode = std::move(encode)](const pocket::Batch& batch) {
      return within_tensor_memory([&] { return encode(batch); });
    };
  }
  bool has_kernels() const override { return torch::has_message_kernels(); }
  std::uint64_t device_bytes(const pocket::GraphCounts& counts) const override {
    return pocket::device_bytes_of_messages(counts.atoms, std::max(counts.bonds, counts.pairs));
  }
};

}  // namespace

PocketTorch& pocket_torch() {
  static TorchPart part;
  return part;
}

}  // namespace molgauge::verbs
