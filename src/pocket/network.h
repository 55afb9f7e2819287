#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/equivariant/harmonics.h"
#include "ops/equivariant/layers.h"
#include "ops/equivariant/message.h"

namespace headroom::pocket {

/// How the atoms' invariants become those of a pocket.
enum class Pooling { attention, mean, sum, max };

/// Sizes and switches of the encoder "V2" of RNA-3E-FFI, by default those of its constructor, apart from
/// `channel_norm`, which is right here and can be made what it was.
struct EncoderShape {
  std::int64_t features = 3, feature_hidden = 64;
  ops::Irreps hidden =
      ops::Irreps::parse("32x0e + 16x1o + 8x2e");  ///< begins with its one block of even scalars
  std::int64_t output = 512, layers = 4;
  ops::RadialBasis radial_basis;
  std::int64_t radial_hidden = 64, pooling_hidden = 128;
  std::optional<double> average_neighbours;  ///< sums of messages are divided by its root
  bool gate = true, layer_norm = false;
  bool multi_hop = true;  ///< angles and dihedrals
  bool nonbonded = true;
  Pooling pooling = Pooling::attention;
  ops::ChannelNorm channel_norm = ops::ChannelNorm::length;  ///< of layer_norm
};

/// ops::DirectedEdges and attributes, and so on, for a set of operators: pocket/graph.h has those of plain
/// arrays.
template <typename Operators>
struct EdgeTermsOf {
  typename Operators::DirectedEdges edges;
  typename Operators::Tensor attributes;
};

template <typename Operators>
struct AngularTermsOf {
  std::vector<typename Operators::Integers> atoms;
  typename Operators::Tensor attributes;
  std::vector<typename Operators::TermLists> inner;
};

template <typename Operators>
struct BatchOf {
  typename Operators::Tensor features, positions;
  EdgeTermsOf<Operators> bonds, pairs;
  AngularTermsOf<Operators> angles, dihedrals;
  typename Operators::Segments pockets;
};

/// The encoder: atoms of pockets to one row a pocket, which turning, moving, mirroring and renumbering the
/// pocket do not change (with ChannelNorm::length). Parameters have the names of the original's checkpoints.
/// Defined over operators on plain arrays (ArrayOperators) and on LibTorch's tensors (TensorOperators); the
/// definition is in network_definition.h.
template <typename Operators>
class Encoder {
 public:
  using Tensor = typename Operators::Tensor;
  /// Called once for each parameter with name and shape; {} is one number.
  using ParameterSource =
      std::function<Tensor(const std::string& name, const std::vector<std::int64_t>& shape)>;

  Encoder(const EncoderShape& shape, const ParameterSource& parameter);

  /// [pockets, output]. Dropout is that of training, of the atoms' scalars after each layer.
  Tensor forward(const BatchOf<Operators>& batch, const typename Operators::Dropout& dropout = {}) const;

  /// What forward() pools: [atoms, channels of the hidden irreps].
  Tensor invariants(const BatchOf<Operators>& batch, const typename Operators::Dropout& dropout = {}) const;

 private:
  using Dense = typename Operators::Dense;
  using LayerNorm = typename Operators::LayerNorm;
  using IrrepsLinear = typename Operators::IrrepsLinear;

  struct Parts;  ///< makes the parts under their names in the checkpoint
  /// Three layers with silu between them.
  struct Perceptron {
    Dense first, second, third;
  };
  /// Bonds or pairs.
  struct MessageLayer {
    IrrepsLinear in;
    std::optional<IrrepsLinear> own;  ///< bonds alone
    Dense radial_first, radial_second;
    Tensor weight, bias;  ///< of the last radial layer
    typename Operators::EquivariantNorm norm;
  };
  /// Angles or dihedrals.
  struct AngularLayer {
    Perceptron perceptron;
    IrrepsLinear out;
  };
  struct Layer {
    MessageLayer bonded, nonbonded;
    AngularLayer angles, dihedrals;
  };
  /// What is known of edges before the first layer.
  struct Geometry {
    Tensor harmonics, radial;
  };

  Geometry geometry(const EdgeTermsOf<Operators>& terms, const Tensor& positions) const;
  Tensor embed(const Tensor& features) const;
  Tensor message(const MessageLayer& layer, const EdgeTermsOf<Operators>& terms, const Geometry& geometry,
                 const Tensor& h) const;
  Tensor angular(const AngularLayer& layer, const AngularTermsOf<Operators>& terms, const Tensor& h) const;
  Tensor pool(const Tensor& invariants, const typename Operators::Segments& pockets) const;
  Tensor apply(const Perceptron& perceptron, const Tensor& x) const;

  EncoderShape shape_;
  std::shared_ptr<const ops::TensorProduct> product_;
  Tensor frequencies_;
  Dense feature_first_, feature_second_, feature_third_;
  LayerNorm feature_norm_, second_feature_norm_, output_norm_;
  IrrepsLinear embedding_;
  Tensor angle_weight_, dihedral_weight_, nonbonded_weight_;
  std::vector<Layer> layers_;
  Perceptron attention_;
  Dense output_;
};

}  // namespace headroom::pocket
