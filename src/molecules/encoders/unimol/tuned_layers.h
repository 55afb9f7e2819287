#pragma once

#include <map>
#include <memory>

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoders/trainable_encoder.h"
#include "molecules/encoders/unimol/frozen_part.h"
#include "molecules/encoders/unimol/tensor_operators.h"

namespace molgauge::encoders::unimol {

/// Dropout probabilities of Uni-Mol training: after the normalisation of the embedding, for attention
/// weights, and for the two outputs of each layer. The frozen part has no dropout, because it is computed
/// once.
inline constexpr double kTrainingDropout = 0.1;

/// The trained layers of Uni-Mol.
class TunedLayers final : public TrainableEncoder {
 public:
  /// `tensors`: the tensors of the network (select_tensors in network.h). `kept`: the cache of the training
  /// molecules. Molecules may be added to it later.
  TunedLayers(const io::TensorMap& tensors, std::shared_ptr<const FrozenMoleculeCache> kept);

  std::int64_t width() const override { return kept_->shape().width; }
  at::Device device() const override { return device_; }
  void to(at::Device device) override;
  const std::vector<Parameter>& parameters() const override { return parameters_; }
  at::Tensor rows(const std::vector<at::Tensor>& parameters, std::span<const std::int64_t> molecules,
                  const at::Tensor& keys) const override;
  at::Tensor features(std::span<const std::int64_t> molecules, std::size_t threads) const override;
  std::unique_ptr<TrainableEncoder> copy() const override;
  memory::ItemSize size(std::int64_t molecule) const override;
  std::unique_ptr<TrainableEncoder> with_made_up(std::span<const memory::ItemSize> sizes) const override;

 private:
  using Tensors = std::map<std::string, at::Tensor, std::less<>>;

  TunedLayers(const TunedLayers& other, std::shared_ptr<const FrozenMoleculeCache> kept);
  std::vector<at::Tensor> present() const;  ///< the parameters, detached from the autograd graph
  /// All parameters from the first trained layer on, including frozen parameters, with their names.
  Tensors all(const std::vector<at::Tensor>& trained) const;
  Network<TensorOperators> network_of(const std::vector<at::Tensor>& trained) const;
  /// The rows of the class tokens.
  at::Tensor forward(const Network<TensorOperators>& network, std::span<const std::int64_t> molecules,
                     const torch::KeyedDropout& dropout) const;
  at::Tensor features_by_tensors(std::span<const std::int64_t> molecules) const;

  std::shared_ptr<const FrozenMoleculeCache> kept_;
  at::Device device_ = at::kCPU;
  std::vector<Parameter> parameters_;
  Tensors constants_;  ///< frozen layers after the first trained one
};

}  // namespace molgauge::encoders::unimol
