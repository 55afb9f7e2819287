#include "molecules/encoders/unimol/tuned_layers.h"

#include <algorithm>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "base/core/threads/worker_group.h"
#include "base/memory/measure/tensor_memory.h"
#include "base/memory/recover/recovery.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/tensor_files.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/numerics/torch/uploads.h"

namespace molgauge::encoders {

void TrainableEncoder::set_numbers(std::size_t parameter, const at::Tensor& numbers) {
  const c10::NoGradGuard no_gradient;
  at::Tensor value = parameters().at(parameter).value;
  value.copy_(numbers);
}

namespace unimol {
namespace {

/// Cached molecules, concatenated to a batch.
struct KeptBatch {
  ops::Floats rows, pairs;  ///< [n, width], [P, heads]
  ops::Segments molecules;
};

KeptBatch gather(const FrozenMoleculeCache& kept, std::span<const std::int64_t> molecules) {
  std::vector<std::int64_t> sizes;
  std::int64_t tokens = 0, pairs = 0;
  for (const std::int64_t molecule : molecules) {
    sizes.push_back(static_cast<std::int64_t>(kept.tokens(molecule)));
    tokens += sizes.back();
    pairs += sizes.back() * sizes.back();
  }
  KeptBatch batch{ops::Floats{tokens, kept.shape().width}, ops::Floats{pairs, kept.shape().heads},
                  ops::make_segments(sizes)};
  float *row = batch.rows.data(), *pair = batch.pairs.data();
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    kept.read(molecules[i], row, pair);
    row += sizes[i] * kept.shape().width;
    pair += sizes[i] * sizes[i] * kept.shape().heads;
  }
  return batch;
}

Batch pack_inputs(const FrozenMoleculeCache& kept, std::span<const std::int64_t> molecules) {
  std::vector<Inputs> inputs;
  std::vector<const Inputs*> pointers;
  inputs.reserve(molecules.size());
  pointers.reserve(molecules.size());
  for (const std::int64_t molecule : molecules) {
    inputs.push_back(kept.inputs(molecule));
  }
  for (const Inputs& own : inputs) {
    pointers.push_back(&own);
  }
  return pack(pointers);
}

}  // namespace

TunedLayers::TunedLayers(const io::TensorMap& tensors, std::shared_ptr<const FrozenMoleculeCache> kept)
    : kept_(std::move(kept)) {
  const FrozenPart& frozen = kept_->frozen();
  for (const auto& [name, tensor] : tensors) {
    if (frozen.trains(name)) {
      parameters_.push_back({name, torch::from_file(tensor).requires_grad_(true)});
    } else if (!frozen.is_before_the_boundary(name)) {
      constants_[name] = torch::from_file(tensor);
    }
  }
}

TunedLayers::TunedLayers(const TunedLayers& other, std::shared_ptr<const FrozenMoleculeCache> kept)
    : kept_(std::move(kept)),
      device_(other.device_),
      parameters_(other.parameters_),
      constants_(other.constants_) {}

void TunedLayers::to(at::Device device) {
  device_ = torch::indexed(device);
  for (Parameter& parameter : parameters_) {
    parameter.value = parameter.value.detach().to(device).requires_grad_(true);
  }
  for (auto& [name, constant] : constants_) {
    constant = constant.to(device);
  }
}

std::vector<at::Tensor> TunedLayers::present() const {
  std::vector<at::Tensor> present;
  present.reserve(parameters_.size());
  for (const Parameter& parameter : parameters_) {
    present.push_back(parameter.value.detach());
  }
  return present;
}

TunedLayers::Tensors TunedLayers::all(const std::vector<at::Tensor>& trained) const {
  Tensors tensors = constants_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    tensors[parameters_[i].name] = trained.at(i);
  }
  return tensors;
}

Network<TensorOperators> TunedLayers::network_of(const std::vector<at::Tensor>& trained) const {
  const Tensors tensors = all(trained);
  return {kept_->shape(), [&](const std::string& name, const std::vector<std::int64_t>&) {
            const auto found = tensors.find(name);
            return found == tensors.end() ? at::Tensor() : found->second;
          }};
}

at::Tensor TunedLayers::forward(const Network<TensorOperators>& network,
                                std::span<const std::int64_t> molecules,
                                const torch::KeyedDropout& dropout) const {
  if (!kept_->frozen().is_anything_frozen()) {
    return network.forward(as_tensors(pack_inputs(*kept_, molecules), device_), Wanted::class_tokens, dropout)
        .tokens;
  }
  const KeptBatch batch = gather(*kept_, molecules);
  Outputs<at::Tensor> x = {torch::as_tensor(batch.rows), torch::as_tensor(batch.pairs)};
  torch::Segments there = torch::as_tensors(batch.molecules, device_);
  torch::move_together({&x.tokens, &x.pairs, &there.first, &there.of, &there.first_pair}, device_);
  return network.finish(network
                            .advance(std::move(x), there, {kept_->frozen().first_trained(), network.layers()},
                                     Wanted::class_tokens, dropout)
                            .tokens);
}

at::Tensor TunedLayers::rows(const std::vector<at::Tensor>& parameters,
                             std::span<const std::int64_t> molecules, const at::Tensor& keys) const {
  const torch::KeyedDropout dropout{keys, kTrainingDropout, 0};
  return forward(network_of(parameters), molecules, dropout.on(device_));
}

at::Tensor TunedLayers::features_by_tensors(std::span<const std::int64_t> molecules) const {
  const c10::NoGradGuard no_gradient;
  const Network<TensorOperators> network = network_of(present());
  memory::Workload workload;
  workload.name = "encoding with the trained layers";
  workload.unit = "molecules";
  workload.planned = kFeaturesAtOnce;
  memory::Recovery recovery(workload, torch::allocator_access(device_));
  std::vector<at::Tensor> features;
  for (std::size_t first = 0; first < molecules.size();) {
    const std::size_t count = std::min(recovery.at_once(), molecules.size() - first);
    if (recovery.attempt(count, memory::Recovery::Divisible::yes, [&] {
          features.push_back(forward(network, molecules.subspan(first, count), {}));
        })) {
      first += count;
    }
  }
  return features.empty() ? at::empty({0, width()}, at::TensorOptions(device_)) : at::cat(features);
}

at::Tensor TunedLayers::features(std::span<const std::int64_t> molecules, std::size_t threads) const {
  if (!device_.is_cpu()) {
    return features_by_tensors(molecules);
  }
  const Tensors tensors = all(present());
  const Network<PairOperators> network(
      kept_->shape(), [&](const std::string& name, const std::vector<std::int64_t>&) {
        const auto found = tensors.find(name);
        return found == tensors.end() ? ops::Floats() : torch::as_array(found->second);
      });
  const auto width = static_cast<std::size_t>(this->width());
  const at::Tensor features = at::empty({static_cast<std::int64_t>(molecules.size()), this->width()});
  auto* const numbers = torch::write_numbers<float>(features);
  const std::size_t parts = (molecules.size() + kFeaturesAtOnce - 1) / kFeaturesAtOnce;
  const auto compute = [&](std::size_t part) {
    const std::size_t first = part * kFeaturesAtOnce;
    const auto own = molecules.subspan(first, std::min(kFeaturesAtOnce, molecules.size() - first));
    ops::Floats rows;
    if (kept_->frozen().is_anything_frozen()) {
      KeptBatch batch = gather(*kept_, own);
      rows = network.finish(network
                                .advance({std::move(batch.rows), std::move(batch.pairs)}, batch.molecules,
                                         {kept_->frozen().first_trained(), network.layers()},
                                         Wanted::class_tokens)
                                .tokens);
    } else {
      rows = network.forward(pack_inputs(*kept_, own), Wanted::class_tokens).tokens;
    }
    std::copy_n(rows.data(), rows.count(), numbers + first * width);
  };
  try {
    parallel_for(parts, std::max<std::size_t>(1, threads), compute);
  } catch (const memory::OutOfTensorMemory&) {
    if (threads <= 1) {
      throw;
    }
    parallel_for(parts, 1, compute);  // one thread needs less memory and gives identical bytes
  }
  return features;
}

std::unique_ptr<TrainableEncoder> TunedLayers::copy() const {
  std::unique_ptr<TunedLayers> copy(new TunedLayers(*this, kept_));
  for (Parameter& parameter : copy->parameters_) {
    parameter.value = parameter.value.detach().clone().requires_grad_(true);
  }
  return copy;
}

memory::ItemSize TunedLayers::size(std::int64_t molecule) const {
  const std::uint64_t tokens = kept_->tokens(molecule);
  return {.tokens = tokens, .pairs = tokens * tokens};
}

std::unique_ptr<TrainableEncoder> TunedLayers::with_made_up(std::span<const memory::ItemSize> sizes) const {
  auto kept = std::make_shared<FrozenMoleculeCache>(kept_->shape(), kept_->frozen());
  for (const memory::ItemSize& size : sizes) {
    kept->append_made_up(size.tokens);
  }
  return std::unique_ptr<TrainableEncoder>(new TunedLayers(*this, std::move(kept)));
}

}  // namespace unimol
}  // namespace molgauge::encoders
