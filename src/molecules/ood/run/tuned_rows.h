#pragma once

#include "molecules/encoders/trainable_encoder.h"
#include "molecules/ood/run/training_rows.h"

namespace molgauge::ood {

/// The molecules of a training, as indices in an encoder (molecules/encoders/trainable_encoder.h).
struct TuningMolecules {
  std::vector<std::int64_t> train_id, train_ood, val_id, val_ood;
};

/// Features of an encoder whose last layers are trained together with the head.
class TunedRows final : public TrainingRows {
 public:
  /// Minimum number of molecules in a shard. A shard then has a few hundred tokens, which is enough for
  /// efficient matrix products and keeps the activations small.
  static constexpr std::int64_t kLeastRows = 16;
  /// The minimum on a GPU, which needs larger shards to be efficient.
  static constexpr std::int64_t kLeastRowsOnGpu = 64;

  /// `encoder` and `molecules` must outlive the object. `identity`: identity of the encoder and the
  /// molecules. Throws InputError with the name of a part that has no molecules.
  TunedRows(const encoders::TrainableEncoder& encoder, const TuningMolecules& molecules,
            std::string identity);

  std::int64_t width() const override { return encoder_.width(); }
  at::Device device() const override { return encoder_.device(); }
  std::size_t id_rows() const override { return molecules_.train_id.size(); }
  std::size_t ood_rows() const override { return molecules_.train_ood.size(); }
  std::int64_t least_rows() const override { return device().is_cpu() ? kLeastRows : kLeastRowsOnGpu; }
  /// A GPU processes one part at a time. More threads would need memory and save no time.
  std::size_t threads_of_pass(std::size_t threads) const override { return device().is_cpu() ? threads : 1; }
  std::string identity() const override { return identity_; }
  /// Parameter group of the encoder. It has its own learning rate, and shares the weight decay and schedule
  /// of the head.
  std::vector<train::ParameterGroup> groups(const TrainingOptions& options) const override;
  std::string tensor_prefix() const override { return "model."; }
  void add_to_best(io::TensorMap& tensors) const override;
  std::unique_ptr<RowBatch> gather(std::vector<std::int64_t> rows, at::Generator& random) const override;
  std::pair<at::Tensor, at::Tensor> validation(std::size_t threads) const override;

 private:
  const encoders::TrainableEncoder& encoder_;
  const TuningMolecules& molecules_;
  std::string identity_;
};

/// Runs the forward pass of molecules, given as indices, through the encoder and the head. keys [n]: dropout
/// keys of the molecules for the encoder. The encoder must outlive the returned pass.
train::ShardedPass tuned_pass(const EnergyHead& head, const encoders::TrainableEncoder& encoder,
                              std::vector<std::int64_t> molecules, const at::Tensor& keys,
                              const DropoutMasks& masks, const train::PassPlan& plan);

/// Restores the tuned tensors of an encoder from best_model.safetensors of a run folder (prefix
/// encoders::kTunedPrefix). Throws InputError with `file` if a tensor is missing or has another shape.
void restore_tuned(encoders::TrainableEncoder& encoder, const io::TensorMap& tensors,
                   const std::string& file);

}  // namespace molgauge::ood
