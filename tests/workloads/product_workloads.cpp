#include "workloads/product_workloads.h"

#include <cmath>

#include <ATen/ATen.h>

#include "molecules/baselines/classifier/classifier_plan.h"
#include "molecules/encoders/encoding_step.h"
#include "molecules/encoders/minimol/minimol_encoder.h"
#include "molecules/encoders/minimol/parameters.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/unimol_encoder.h"
#include "molecules/ood/run/head_training_step.h"

namespace molgauge::workloads {
namespace {

constexpr std::int64_t kFeatureWidth = 512;

io::TensorMap made_up_weights() {
  io::TensorMap weights;
  for (const auto& [name, shape] : encoders::minimol::parameter_shapes()) {
    const at::Tensor numbers = at::randn(shape) / std::sqrt(static_cast<double>(shape.back()));
    weights.emplace(name, io::TensorData::from_float32(shape, numbers.data_ptr<float>()));
  }
  return weights;
}

/// An EncodingStep without a bound on batches.
class Minimol final : public memory::StepModel {
 public:
  Minimol() : encoder_(made_up_weights(), ""), step_(encoder_) {}

  std::string name() const override { return step_.name(); }
  bool has_static_allocations(const memory::StepSettings& settings) const override {
    return step_.has_static_allocations(settings);
  }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override {
    return step_.resident(settings);
  }
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override {
    return step_.relative_time(cost, settings);
  }
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::AllocationTagger& marks) override {
    step_.run(batch, settings, marks);
  }

 private:
  encoders::minimol::CpuMinimolEncoder encoder_;
  encoders::EncodingStep step_;
};

/// A model of Uni-Mol without a bound on batches. Real molecules pass all layers. The stand-ins of a plan
/// pass only the first layer and the last layer.
class Unimol final : public memory::StepModel {
 public:
  Unimol(const encoders::NetworkSizes& sizes, const encoders::AtomPairChoice& fine)
      : encoder_(encoders::unimol::random_tensors(sizes, 1), {.weights_sha256 = "random"}, {.fine = fine}),
        step_(encoder_) {}

  std::string name() const override { return step_.name(); }
  bool has_static_allocations(const memory::StepSettings& settings) const override {
    return step_.has_static_allocations(settings);
  }
  std::vector<memory::ItemSize> probe_items() const override { return step_.probe_items(); }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override {
    return step_.resident(settings);
  }
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override {
    return step_.relative_time(cost, settings);
  }
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& /*settings*/,
           memory::AllocationTagger& /*marks*/) override {
    std::vector<std::unique_ptr<encoders::FeaturisedMolecule>> molecules;
    std::vector<const encoders::FeaturisedMolecule*> pointers;
    for (const memory::ItemSize& size : batch) {
      molecules.push_back(encoder_.stand_in(size));
      dynamic_cast<encoders::unimol::Inputs&>(*molecules.back()).is_made_up = false;
      pointers.push_back(molecules.back().get());
    }
    std::vector<float> rows(batch.size() * encoder_.width());
    encoder_.encode(pointers, rows);
  }

 private:
  encoders::unimol::UnimolEncoder encoder_;
  encoders::EncodingStep step_;
};

}  // namespace

std::unique_ptr<memory::StepModel> energy_head_workload(std::int64_t hidden) {
  ood::TrainingOptions options;
  options.hidden_dim = static_cast<std::size_t>(hidden);
  options.loss.kind = Loss::bce;
  return std::make_unique<ood::HeadTrainingStep>(kFeatureWidth, options, 0, 0, 1);
}

std::unique_ptr<memory::StepModel> classifier_workload(std::int64_t hidden) {
  baselines::ClassifierShape shape;
  shape.hidden = hidden;
  return std::make_unique<baselines::ClassifierStep>(shape, 0);
}

std::unique_ptr<memory::StepModel> minimol_workload() { return std::make_unique<Minimol>(); }

std::unique_ptr<memory::StepModel> unimol_workload(const encoders::NetworkSizes& sizes,
                                                   const encoders::AtomPairChoice& fine) {
  return std::make_unique<Unimol>(sizes, fine);
}

}  // namespace molgauge::workloads
