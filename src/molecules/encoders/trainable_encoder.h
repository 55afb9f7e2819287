#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/memory/plan/cost.h"

namespace molgauge::encoders {

/// An encoder with trainable last layers, and its training molecules. The outputs of the frozen layers are
/// cached. Molecules are identified by their index. Parameters are float32.
///
/// Thread safety: const calls may be made by several threads at once.
class TrainableEncoder {
 public:
  struct Parameter {
    std::string name;  ///< name in the checkpoints of the encoder
    at::Tensor value;  ///< a leaf that collects gradients
  };

  /// Number of molecules that features() processes together in each thread, or on a GPU.
  static constexpr std::size_t kFeaturesAtOnce = 32;

  virtual ~TrainableEncoder() = default;

  virtual std::int64_t width() const = 0;
  /// The device of the parameters and of the computation. It is the CPU until to() is called. Cached
  /// molecules stay on the CPU.
  virtual at::Device device() const = 0;
  /// Moves the parameters to a device. parameters() then contains new tensors.
  virtual void to(at::Device device) = 0;
  /// The trained parameters.
  virtual const std::vector<Parameter>& parameters() const = 0;
  /// Copies the numbers of a tensor of equal shape into a parameter. The tensor in parameters() stays the
  /// same object.
  void set_numbers(std::size_t parameter, const at::Tensor& numbers);

  /// Computes rows [molecules, width] with `parameters` instead of parameters(). The rows are differentiable
  /// with respect to `parameters`. keys [molecules] int64 determine the dropout masks. The masks do not
  /// depend on the batch. Undefined keys disable dropout.
  virtual at::Tensor rows(const std::vector<at::Tensor>& parameters, std::span<const std::int64_t> molecules,
                          const at::Tensor& keys) const = 0;

  /// Rows [molecules, width] with the current parameters, without dropout and gradients, on the device of the
  /// encoder. On the CPU they are bit-identical to the rows of the encoder on plain arrays.
  virtual at::Tensor features(std::span<const std::int64_t> molecules, std::size_t threads) const = 0;

  /// A copy with its own parameters, which have equal values. The copy shares the molecules.
  virtual std::unique_ptr<TrainableEncoder> copy() const = 0;

  /// The cost of a molecule.
  virtual memory::ItemSize size(std::int64_t molecule) const = 0;
  /// A copy that shares the parameters but has synthetic molecules of these sizes. Used to measure memory.
  virtual std::unique_ptr<TrainableEncoder> with_made_up(std::span<const memory::ItemSize> sizes) const = 0;
};

}  // namespace molgauge::encoders
