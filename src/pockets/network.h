#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/numerics/ops/equivariant/harmonics.h"
#include "base/numerics/ops/equivariant/layers.h"
#include "base/numerics/ops/equivariant/message.h"
#include "molgauge/choices.h"

namespace molgauge::pocket {

/// Options of the encoder "V3", and its differences from "V2". V3 normalises before and after the messages of
/// a layer, and adds the output of a layer to its input. The weights of its message paths are fixed. The
/// paths of angles and dihedrals also receive the angles between atom positions. V3 uses the sine of
/// dihedrals, so a mirrored pocket has another output row.
struct V3Layers {
  bool improved_layers = false;      ///< the gate acts only on the sum of messages
  bool enhanced_invariants = false;  ///< adds cosines between channels
  StreamNorm norm = StreamNorm::layer;
  double bonded_weight = 0.4, angle_weight = 0.5, dihedral_weight = 0.5, nonbonded_weight = 0.5;
};

/// Sizes and options of the encoder of RNA-3E-FFI. The defaults are the defaults of its V2 constructor,
/// except for `channel_norm`. The default of `channel_norm` corrects an error of the original layer norm. The
/// original layer norm can also be selected.
struct EncoderShape {
  std::int64_t features = 3, feature_hidden = 64;
  ops::Irreps hidden = ops::Irreps::parse("32x0e + 16x1o + 8x2e");  ///< irreps of the atoms. The first block
                                                                    ///< is the only block of even scalars
  std::int64_t output = 512, layers = 4;
  ops::RadialBasis radial_basis;
  std::int64_t radial_hidden = 64, pooling_hidden = 128;
  std::optional<double> average_neighbours;  ///< sums of messages are divided by the square root of this
                                             ///< number
  bool gate = true, layer_norm = false;
  bool multi_hop = true;  ///< use messages over angles and dihedrals
  bool nonbonded = true;
  Pooling pooling = Pooling::attention;
  std::int64_t heads = 4;                                    ///< number of heads for Pooling::heads
  ops::ChannelNorm channel_norm = ops::ChannelNorm::length;  ///< kind of layer_norm
  std::optional<V3Layers> third = {};                        ///< set only for V3

  /// The number of invariants of an atom that are pooled: its scalars, the lengths of its other channels and,
  /// with enhanced invariants, the cosines of all pairs of channels in a block.
  std::int64_t invariants() const;
};

/// The next three structs correspond to EdgeTerms, AngularTerms and Batch in pockets/graph.h, for any
/// set of operators.
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
  std::vector<typename Operators::TermLists> ends = {};  ///< the terms of the first and last atoms, for
                                                         ///< kernels of GPUs
};

template <typename Operators>
struct BatchOf {
  typename Operators::Tensor features, positions;
  EdgeTermsOf<Operators> bonds, pairs;
  AngularTermsOf<Operators> angles, dihedrals;
  typename Operators::Segments pockets;
};

/// The encoder maps the atoms of each pocket to one output row. With ChannelNorm::length, rotating or
/// translating a pocket, or renumbering its atoms, does not change its row. Mirroring a pocket changes its
/// row only in V3. Parameters have the names of the original checkpoints. network_definition.h defines the
/// encoder for operators on plain arrays (ArrayOperators) and on LibTorch tensors (TensorOperators).
template <typename Operators>
class Encoder {
 public:
  using Tensor = typename Operators::Tensor;
  /// A function that returns a parameter. The encoder calls it once for each parameter with the name and the
  /// shape. The shape {} means one number.
  using ParameterSource =
      std::function<Tensor(const std::string& name, const std::vector<std::int64_t>& shape)>;

  Encoder(const EncoderShape& shape, const ParameterSource& parameter);

  /// Returns the rows of the pockets: [pockets, output]. Dropout applies only in training. It applies to the
  /// scalars of the atoms after each layer, and within the attention pooling.
  Tensor forward(const BatchOf<Operators>& batch, const typename Operators::Dropout& dropout = {}) const;

  /// Returns the input of the pooling in forward(): [atoms, channels of the hidden irreps].
  Tensor invariants(const BatchOf<Operators>& batch, const typename Operators::Dropout& dropout = {}) const;

 private:
  using Dense = typename Operators::Dense;
  using LayerNorm = typename Operators::LayerNorm;
  using IrrepsLinear = typename Operators::IrrepsLinear;

  struct Parts;  ///< creates the parts with their names in the checkpoint
  /// Three layers with silu between them.
  struct Perceptron {
    Dense first, second, third;
  };
  /// A normalisation of the rows of the atoms. Exactly one of the two fields is set.
  struct RowNorm {
    std::optional<typename Operators::EquivariantNorm> layer;
    std::optional<Tensor> scale;
  };
  /// Message passing over bonds or pairs.
  struct MessageLayer {
    IrrepsLinear in;
    std::optional<IrrepsLinear> own;  ///< self-connection; set only for bonds
    typename Operators::Message message;
    typename Operators::EquivariantNorm norm;
  };
  /// Message passing over angles or dihedrals.
  struct AngularLayer {
    std::optional<LayerNorm> norm;  ///< used only in V3
    Perceptron perceptron;
    IrrepsLinear out;
  };
  struct Layer {
    MessageLayer bonded, nonbonded;
    AngularLayer angles, dihedrals;
    std::optional<RowNorm> before, after;  ///< used only in V3
  };
  /// Properties of edges, computed before the first layer.
  struct Geometry {
    Tensor harmonics, radial;
  };
  /// Properties of all terms, computed before the first layer.
  struct Known {
    Geometry bonds, pairs;
    Tensor angles, dihedrals;  ///< attributes; in V3 also the cosines and sines of the angles
    bool has_pairs, has_angles, has_dihedrals;
  };
  /// Weights of the paths other than the bonded path: learnt in V2, fixed in V3.
  struct PathWeights {
    Tensor angle, dihedral, nonbonded;
  };
  struct HeadPooling {
    Tensor queries;
    Dense key, value, out;
  };

  Geometry geometry(const EdgeTermsOf<Operators>& terms, const Tensor& positions) const;
  Known know(const BatchOf<Operators>& batch) const;
  Tensor embed(const Tensor& features) const;
  Tensor layer(const Layer& layer, const BatchOf<Operators>& batch, const Known& known,
               const Tensor& h) const;
  Tensor activate(const Tensor& sum) const;
  Tensor normalise(const RowNorm& norm, const Tensor& h) const;
  /// `in` and `own`: results of the linear layers `in` and `own`. If they are null, they are computed.
  Tensor message(const MessageLayer& layer, const EdgeTermsOf<Operators>& terms, const Geometry& geometry,
                 const Tensor& h, const Tensor* in, const Tensor* own) const;
  Tensor angular(const AngularLayer& layer, const AngularTermsOf<Operators>& terms, const Tensor& attributes,
                 const Tensor& h) const;
  Tensor pool(const Tensor& invariants, const typename Operators::Segments& pockets,
              const typename Operators::Dropout& dropout) const;
  Tensor apply(const Perceptron& perceptron, const Tensor& x) const;

  EncoderShape shape_;
  std::shared_ptr<const ops::TensorProduct> product_;
  Tensor frequencies_;
  Dense feature_first_, feature_second_, feature_third_;
  LayerNorm feature_norm_, second_feature_norm_, output_norm_;
  IrrepsLinear embedding_;
  PathWeights weights_;
  std::vector<Layer> layers_;
  Perceptron attention_;
  HeadPooling heads_;
  Dense output_;
};

}  // namespace molgauge::pocket
