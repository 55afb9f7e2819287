#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/io/tensors/tensor_data.h"
#include "molecules/encoders/unimol/inputs.h"
#include "molecules/encoders/unimol/pair_operators.h"

namespace molgauge::encoders::unimol {

/// Sizes of a network. The defaults are the sizes of the published networks.
struct NetworkShape {
  std::int64_t layers = 15, width = 512, hidden = 2048, heads = 64, kernels = 128;
  bool operator==(const NetworkShape&) const = default;
};

/// A batch of molecules without padding: n tokens and P pairs. Pairs within each molecule are stored row by
/// row, molecule after molecule.
template <typename Operators>
struct BatchOf {
  typename Operators::Integers tokens;     ///< [n]
  typename Operators::Tensor distances;    ///< [P]
  typename Operators::Segments molecules;  ///< the tokens of each molecule
};
using Batch = BatchOf<PairOperators>;

/// Concatenates molecules. Without molecules, the batch is empty.
Batch pack(std::span<const Inputs* const> molecules);

/// The output of a network or of a layer, for all molecules of a batch.
template <typename Tensor>
struct Outputs {
  Tensor tokens;  ///< [n, width] after the last layer; the first row of a molecule represents it
  Tensor pairs;   ///< [P, heads] attention logits of the last layer, accumulated over all layers
};

/// A range of layers, from `first` to `last` - 1.
struct LayerRange {
  std::int64_t first = 0, last = 0;
};

/// The requested output of a network.
enum class Wanted {
  everything,
  class_tokens,  ///< `tokens` has only the first row of each molecule, [molecules, width]. `pairs` is
                 ///< undefined
  /// Output of the shape of class_tokens, but only the first and the last layer are computed. The numbers are
  /// meaningless. The peak memory equals the peak of the whole network, because the other layers allocate
  /// equal tensors one after another.
  memory_of_class_tokens,
  memory_of_everything,  ///< like memory_of_class_tokens, for `everything`
};

/// The molecular encoder of Uni-Mol (Zhou et al. 2023, ICLR). All tokens of a molecule attend to each other.
/// Gaussian features of the distances are added to the attention logits. Each layer updates the logits and
/// passes them to the next layer. network_definition.h defines the network over a set of operators.
///
/// Some parameters may be undefined tensors. A layer can be used if all its parameters are defined.
///
/// Thread safety: all calls are const and may be made from several threads at once.
template <typename Operators>
class Network {
 public:
  using Tensor = typename Operators::Tensor;
  using Dropout = typename Operators::Dropout;
  using Dense = typename Operators::Dense;
  using LayerNorm = typename Operators::LayerNorm;
  /// Returns a parameter. Called once for each parameter, with name and shape.
  using ParameterSource =
      std::function<Tensor(const std::string& name, const std::vector<std::int64_t>& shape)>;

  /// `precision` applies to the products of the layers. The pair features before the first layer, about 2 %
  /// of the work, are computed in fp32.
  Network(const NetworkShape& shape, const ParameterSource& parameter,
          ops::Precision precision = ops::Precision::fp32);

  /// On plain arrays, the results of a molecule are bit-identical in any batch.
  Outputs<Tensor> forward(const BatchOf<Operators>& batch, Wanted wanted = Wanted::everything,
                          const Dropout& dropout = {}) const;

  // The three steps of forward(). Calling them one after another gives the same numbers as forward().

  /// The input of the first layer.
  Outputs<Tensor> begin(const BatchOf<Operators>& batch, const Dropout& dropout = {}) const;
  /// Applies these layers to `x`. On plain arrays, `x` is overwritten.
  Outputs<Tensor> advance(Outputs<Tensor> x, const typename Operators::Segments& molecules, LayerRange range,
                          Wanted wanted = Wanted::everything, const Dropout& dropout = {}) const;
  /// Normalises the token rows after the last layer.
  Tensor finish(const Tensor& tokens) const { return Operators::normalise(last_norm_, tokens); }

  std::int64_t layers() const { return static_cast<std::int64_t>(layers_.size()); }

 private:
  struct Layer {
    LayerNorm attention_norm;
    Dense joint, mixed;  ///< layer for queries, keys and values, and layer for the output of the heads
    LayerNorm widening_norm;
    Dense widen, narrow;
  };
  struct Parts;  ///< creates the layers from the named tensors of the checkpoint

  std::int64_t heads_;
  Tensor embedding_;
  LayerNorm embedding_norm_, last_norm_;
  typename Operators::GaussianKernels kernels_;
  Dense pair_hidden_, pair_out_;
  std::vector<Layer> layers_;
};

extern template class Network<PairOperators>;

/// Derives the sizes of the network from its tensors. Throws InputError with `file` and the tensor if a
/// tensor is missing or does not belong to a Uni-Mol network.
NetworkShape shape_of(const io::TensorMap& tensors, const std::filesystem::path& file);

/// Selects the tensors of the network from a checkpoint, without the pre-training heads. Throws InputError
/// with `file` and the tensor if one is missing or has another shape or type.
io::TensorMap select_tensors(io::TensorMap tensors, const std::filesystem::path& file);

}  // namespace molgauge::encoders::unimol
