#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "memory/plan/cost.h"

namespace headroom::encoders {

/// An encoder whose last layers are trained, and the molecules that it is trained on, which are kept as its
/// frozen layers have left them and are named by their numbers. Parameters are float32.
///
/// Thread safety: const calls may be made by several threads at once.
class TrainableEncoder {
 public:
  struct Parameter {
    std::string name;  ///< in the encoder's checkpoints
    at::Tensor value;  ///< a leaf that collects gradients
  };

  /// Molecules that a thread of features(), or a GPU, computes at once.
  static constexpr std::size_t kFeaturesAtOnce = 32;

  virtual ~TrainableEncoder() = default;

  virtual std::int64_t width() const = 0;
  /// Where the parameters are, which compute there: at first on the CPU. Molecules stay with the CPU.
  virtual at::Device device() const = 0;
  /// Moves the parameters, which are other tensors afterwards.
  virtual void to(at::Device device) = 0;
  /// What is trained.
  virtual const std::vector<Parameter>& parameters() const = 0;
  /// Replaces the numbers of a parameter by those of a tensor of its shape; the tensor of parameters() stays.
  void set_numbers(std::size_t parameter, const at::Tensor& numbers);

  /// Rows [molecules, width], differentiable in `parameters`, which stand for those of parameters() in their
  /// order. keys [molecules] int64 decide what the dropouts drop, whichever molecules are beside it;
  /// undefined: nothing is dropped.
  virtual at::Tensor rows(const std::vector<at::Tensor>& parameters, std::span<const std::int64_t> molecules,
                          const at::Tensor& keys) const = 0;

  /// Rows [molecules, width] with the present parameters, without dropout and gradients, on the encoder's
  /// device: on the CPU the same bytes that the encoder for plain arrays gives with them.
  virtual at::Tensor features(std::span<const std::int64_t> molecules, std::size_t threads) const = 0;

  /// The same encoder on the same molecules, with parameters of its own that have the present numbers.
  virtual std::unique_ptr<TrainableEncoder> copy() const = 0;

  /// The cost of a molecule.
  virtual memory::ItemSize size(std::int64_t molecule) const = 0;
  /// The same encoder, sharing its parameters, with made-up molecules of these sizes, numbered from 0 on: for
  /// measuring memory.
  virtual std::unique_ptr<TrainableEncoder> with_made_up(std::span<const memory::ItemSize> sizes) const = 0;
};

}  // namespace headroom::encoders
