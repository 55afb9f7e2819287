#include <utility>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/device.h"
#include "base/runtime/torch_budget_errors.h"
#include "molecules/encoders/torch_registry.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/verbs/baseline/baseline_loader.h"
#include "molecules/verbs/torch_verbs.h"
#include "molecules/verbs/train/training_plans.h"

namespace molgauge::verbs {
namespace {

using runtime::run_with_torch;
using runtime::within_tensor_memory;

class TorchPart final : public session::MoleculeTorch {
 public:
  TrainReport train(const TrainRequest& request) override {
    return run_with_torch(request, [&] { return verbs::train(request); });
  }
  BaselineReport baseline(const BaselineRequest& request) override {
    return run_with_torch(request, [&] { return verbs::baseline(request); });
  }
  ExperimentReport run_experiment(const ExperimentRequest& request) override {
    return run_with_torch(request, [&] { return verbs::run_experiment(request); });
  }
  std::vector<MemoryPlan> plan_memory(const TrainRequest& request) override {
    return run_with_torch(request, [&] { return plan_training_verb(request); });
  }
  std::vector<MemoryPlan> plan_memory(const BaselineRequest& request) override {
    return run_with_torch(request, [&] { return plan_training_verb(request); });
  }

  session::StoredBaseline load_baseline(const std::string& run, const std::string& method,
                                        std::size_t threads) const override {
    session::StoredBaseline baseline =
        within_tensor_memory([&] { return verbs::load_baseline(run, method, threads); });
    baseline.score = [score = std::move(baseline.score)](const ops::Floats& features) {
      return within_tensor_memory([&] { return score(features); });
    };
    return baseline;
  }

  std::unique_ptr<encoders::Encoder> make_encoder(const std::string& name,
                                                  const encoders::EncoderSettings& settings,
                                                  Device device) const override {
    return within_tensor_memory(
        [&] { return encoders::make_torch_encoder(name, settings, torch::to_c10(device)); });
  }
  Scorer make_scorer(const ood::HeadWeights& weights, std::size_t batch_size, Device gpu) const override {
    const c10::Device device = torch::to_c10(gpu);
    const auto head = std::make_shared<ood::EnergyHead>(weights);
    within_tensor_memory([&] { head->to(device); });
    return [=](const ops::Floats& features) {
      return within_tensor_memory(
          [&] { return ood::score_features(*head, torch::on_device(features, device), batch_size); });
    };
  }
};

}  // namespace

session::MoleculeTorch& molecule_torch() {
  static TorchPart part;
  return part;
}

}  // namespace molgauge::verbs
