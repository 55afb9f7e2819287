// libmolgauge_torch.so: the parts of the engine that need LibTorch.

#include <cstring>

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include "models/encoders/torch_registry.h"
#include "models/ood/head/tensor_scoring.h"
#include "models/pocket/tensor_encoder.h"
#include "numerics/torch/allocator_access.h"
#include "numerics/torch/arrays.h"
#include "numerics/torch/cpu_tensor_memory.h"
#include "numerics/torch/device.h"
#include "numerics/torch/device_allocator.h"
#include "numerics/torch/device_memory.h"
#include "numerics/torch/device_trace.h"
#include "numerics/torch/matrix_buffers.h"
#include "numerics/torch/message_kernels.h"
#include "numerics/torch/operator_threads.h"
#include "numerics/torch/pinned_memory.h"
#include "numerics/torch/precision.h"
#include "numerics/torch/torch_compatibility.h"
#include "runtime/budget_scope.h"
#include "runtime/out_of_memory.h"
#include "runtime/torch_backend.h"
#include "verbs/baseline/baseline_loader.h"
#include "verbs/pocket/pocket_training.h"
#include "verbs/torch_verbs.h"
#include "verbs/train/training_plans.h"

namespace molgauge::verbs {
namespace {

class TorchGpuMemory final : public session::GpuMemory {
 public:
  explicit TorchGpuMemory(c10::Device device) : device_(device) {}

  std::unique_ptr<memory::DeviceProbe> probe() const override { return torch::device_probe(device_); }
  memory::DeviceSpace space() const override { return torch::device_space(device_); }
  memory::AllocatorAccess access() const override { return torch::allocator_access(device_); }
  void release_pinned() override {
    if (torch::PinnedMemory* const pinned = torch::pinned_memory()) {
      pinned->release();
    }
  }
  void limit(std::uint64_t bytes) override { torch::limit_device_memory(device_, bytes); }
  void set_allocator(const std::string& settings) override { torch::set_device_allocator(settings, device_); }
  std::string allocator_settings() const override { return torch::device_allocator_settings(); }
  std::shared_ptr<void> trace(allocator::AllocationTrace& trace) override {
    return std::make_shared<torch::DeviceTrace>(device_, trace);
  }

 private:
  c10::Device device_;
};

/// Runs a verb. If memory runs out in work that cannot be divided, throws Error with exit code 4
/// (over_budget).
template <typename Verb>
auto within_tensor_memory(const Verb& verb) {
  try {
    return session::with_budget_errors(verb);
  } catch (const c10::OutOfMemoryError& refusal) {
    const std::string text = refusal.what();
    throw Error(text.substr(0, text.find('\n')) + session::kMoreMemory, ExitCode::over_budget);
  }
}

template <typename Request, typename Verb>
auto run(const Request& request, const Verb& verb) {
  torch::reserve_matrix_buffers(session::threads_of(request.compute));
  return within_tensor_memory(verb);
}

Finding libtorch() {
  Finding finding{"LibTorch", torch::torch_version(), "", Finding::State::good};
  // LibTorch computes matrix products with the BLAS library that the system selects. The reference BLAS is 20
  // times slower than OpenBLAS and MKL.
  if (!torch::has_fast_matrix_library()) {
    finding.state = Finding::State::note;
    finding.text += ", matrix products by a BLAS that is neither OpenBLAS nor MKL";
    finding.advice = "if it is Debian's reference BLAS: apt-get install libopenblas0-openmp";
  }
  return finding;
}

class TorchLibrary final : public session::TorchBackend {
 public:
  // Starts to count LibTorch tensors before the first tensor exists.
  TorchLibrary() { torch::cpu_tensor_memory(); }

  TrainReport train(const TrainRequest& request) override {
    return run(request, [&] { return verbs::train(request); });
  }
  BaselineReport baseline(const BaselineRequest& request) override {
    return run(request, [&] { return verbs::baseline(request); });
  }
  ExperimentReport run_experiment(const ExperimentRequest& request) override {
    return run(request, [&] { return verbs::run_experiment(request); });
  }
  PocketTrainReport train_pockets(const PocketTrainRequest& request) override {
    return run(request, [&] { return verbs::train_pockets(request); });
  }
  std::vector<MemoryPlan> plan_memory(const TrainRequest& request) override {
    return run(request, [&] { return session::plan_training_verb(request); });
  }
  std::vector<MemoryPlan> plan_memory(const BaselineRequest& request) override {
    return run(request, [&] { return session::plan_training_verb(request); });
  }
  std::vector<MemoryPlan> plan_memory(const PocketTrainRequest& request) override {
    return run(request, [&] { return session::plan_training_verb(request); });
  }

  session::StoredBaseline load_baseline(const std::string& run, const std::string& method,
                                        std::size_t threads) const override {
    session::StoredBaseline baseline =
        within_tensor_memory([&] { return session::load_baseline(run, method, threads); });
    baseline.score = [score = std::move(baseline.score)](const ops::Floats& features) {
      return within_tensor_memory([&] { return score(features); });
    };
    return baseline;
  }

  std::vector<Finding> diagnose() const override {
    const std::size_t gpus = torch::gpu_count();
    const std::string text = gpus > 0 ? fmt::format("{} GPU(s). --device auto uses the first", gpus)
                                      : "cpu (this LibTorch sees no GPU)";
    return {libtorch(), {"device", text, "", Finding::State::good}};
  }

  std::size_t gpu_count() const override { return torch::gpu_count(); }
  Device parse_gpu(const std::string& text) const override { return {.gpu = torch::parse_gpu(text).index()}; }
  std::unique_ptr<session::GpuMemory> memory_of(Device gpu) const override {
    return std::make_unique<TorchGpuMemory>(torch::to_c10(gpu));
  }
  ops::Precision fastest_precision(Device gpu) const override {
    return torch::fastest_precision(torch::to_c10(gpu));
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
  pocket::PocketEncoder make_pocket_encoder(const pocket::EncoderShape& shape,
                                            const pocket::ParameterReader& parameters,
                                            Device device) const override {
    pocket::PocketEncoder encode = within_tensor_memory(
        [&] { return pocket::make_tensor_encoder(shape, parameters, torch::to_c10(device)); });
    return [encode = std::move(encode)](const pocket::Batch& batch) {
      return within_tensor_memory([&] { return encode(batch); });
    };
  }
  bool has_pocket_kernels() const override { return torch::has_message_kernels(); }
  std::uint64_t device_bytes_of_pockets() const override { return pocket::device_bytes_of_messages(); }
  std::shared_ptr<void> one_operator_thread() const override {
    return std::make_shared<torch::OperatorThreads>(1);
  }
};

}  // namespace
}  // namespace molgauge::verbs

extern "C" molgauge::session::TorchBackend* molgauge_torch_part(const char* version) {
  static molgauge::verbs::TorchLibrary library;
  return std::strcmp(version, MOLGAUGE_VERSION) == 0 ? &library : nullptr;
}
