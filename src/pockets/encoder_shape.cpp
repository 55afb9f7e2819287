#include "pockets/encoder_shape.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/numerics/ops/equivariant/irreps_linear.h"

namespace molgauge::pocket {
namespace {

class StateReader {
 public:
  StateReader(const io::TensorMap& state, const std::string& source) : state_(state), source_(source) {}

  bool has(const std::string& name) const { return state_.contains(name); }
  std::int64_t size(const std::string& name, std::size_t axis) const {
    const io::TensorData& tensor = find(name);
    if (axis >= tensor.shape.size()) {
      throw InputError(fmt::format("{}: parameter {} has {} axes", source_, name, tensor.shape.size()));
    }
    return tensor.shape[axis];
  }
  std::int64_t count(const std::string& name) const { return find(name).element_count(); }
  [[noreturn]] void refuse(const std::string& name) const {
    throw InputError(
        fmt::format("{}: parameter {} does not fit a pocket encoder. Supported are encoders of RNA-3E-FFI "
                    "with hidden irreps \"a x0e + b x1o + c x2e\"",
                    source_, name));
  }

 private:
  const io::TensorData& find(const std::string& name) const {
    const auto found = state_.find(name);
    if (found == state_.end()) {
      throw InputError(
          fmt::format("{}: not a checkpoint of a pocket encoder: it has no parameter {}", source_, name));
    }
    return found->second;
  }

  const io::TensorMap& state_;
  const std::string& source_;
};

ops::Irreps with_channels(std::int64_t scalars, std::int64_t vectors, std::int64_t tensors) {
  std::vector<ops::IrrepBlock> blocks = {{scalars, 0, ops::Parity::even}};
  if (vectors > 0) {
    blocks.push_back({vectors, 1, ops::Parity::odd});
  }
  if (tensors > 0) {
    blocks.push_back({tensors, 2, ops::Parity::even});
  }
  return ops::Irreps(std::move(blocks));
}

/// Finds the irreps and the gate. They follow from the numbers of weights of the linear layer and of the
/// message. Exchanging vectors and tensors does not change these numbers. The mask of a linear layer, if the
/// checkpoint has one, distinguishes the two cases. Without a mask, assumes at least as many vectors as
/// tensors.
void find_irreps(const StateReader& state, EncoderShape& shape) {
  const std::string linear = "bonded_mp_layers.0.linear_in.weight";
  const std::string radial = "bonded_mp_layers.0.radial_mlp.4.weight";
  const std::int64_t scalars = state.size("input_embedding.feature_mlp.6.weight", 0);
  const std::int64_t weights = state.count(linear), products = state.size(radial, 0);
  const std::int64_t rest = weights - scalars * scalars;
  const std::string mask = "bonded_mp_layers.0.linear_in.output_mask";
  const auto most =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(std::max<std::int64_t>(rest, 0))));
  for (std::int64_t vectors = most; vectors >= 0; --vectors) {
    const auto tensors =
        static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(rest - vectors * vectors))));
    if (vectors * vectors + tensors * tensors != rest) {
      continue;
    }
    const ops::Irreps hidden = with_channels(scalars, vectors, tensors);
    if (state.has(mask) && state.count(mask) > 0 && state.count(mask) != hidden.width()) {
      continue;
    }
    for (const bool gate : {true, false}) {
      const ops::Irreps out = gate && vectors + tensors > 0 ? ops::gated(hidden) : hidden;
      if (ops::TensorProduct(hidden, 2, out).weights() == products) {
        shape.hidden = hidden;
        shape.gate = gate;
        return;
      }
    }
  }
  state.refuse(radial);
}

std::int64_t count_layers(const StateReader& state) {
  std::int64_t layers = 0;
  while (state.has(fmt::format("bonded_mp_layers.{}.linear_in.weight", layers))) {
    ++layers;
  }
  return layers;
}

void find_third_version(const StateReader& state, EncoderShape& shape) {
  const bool has_norms = state.has("aggregation_layer_norms.0.weight");
  if (!has_norms && !state.has("pooling.queries") && !state.has("angle_mp_layers.0.input_norm.weight")) {
    return;
  }
  V3Layers third;
  const std::int64_t own = state.count("bonded_mp_layers.0.self_connection.weight");
  third.improved_layers = shape.gate && own == ops::IrrepsLinear::weight_count(shape.hidden, shape.hidden) &&
                          own != ops::IrrepsLinear::weight_count(shape.hidden, ops::gated(shape.hidden));
  if (has_norms && state.count("aggregation_layer_norms.0.weight") == shape.hidden.width() &&
      shape.hidden.width() != shape.hidden.blocks()[0].multiplicity) {
    third.norm = StreamNorm::rms;
  }
  third.enhanced_invariants = state.size("output_projection.0.weight", 1) != shape.hidden.channels();
  shape.third = third;
}

}  // namespace

EncoderShape shape_of(const io::TensorMap& tensors, const std::string& source) {
  const StateReader state(tensors, source);
  EncoderShape shape;
  shape.features = state.size("input_embedding.feature_mlp.0.weight", 1);
  shape.feature_hidden = state.size("input_embedding.feature_mlp.0.weight", 0);
  find_irreps(state, shape);
  shape.layers = count_layers(state);
  shape.output = state.size("output_projection.0.weight", 0);
  shape.radial_hidden = state.size("bonded_mp_layers.0.radial_mlp.0.weight", 0);
  shape.radial_basis.functions = state.size("bonded_mp_layers.0.radial_mlp.0.weight", 1) - 2;
  shape.layer_norm = state.has("bonded_mp_layers.0.layer_norm.weight");
  shape.multi_hop = state.has("angle_mp_layers.0.angle_mlp.0.weight");
  shape.nonbonded = state.has("nonbonded_mp_layers.0.linear_in.weight");
  find_third_version(state, shape);
  if (state.has("pooling.queries")) {
    shape.pooling = Pooling::heads;
    shape.heads = state.size("pooling.queries", 0);
    shape.pooling_hidden = state.size("pooling.key_proj.weight", 0);
  } else if (state.has("pooling_mlp.0.weight")) {
    shape.pooling_hidden = state.size("pooling_mlp.0.weight", 0);
  } else {
    shape.pooling = Pooling::mean;
  }
  if (state.size("output_projection.0.weight", 1) != shape.invariants()) {
    state.refuse("output_projection.0.weight");
  }
  return shape;
}

void require_possible(const EncoderShape& shape) {
  const auto& blocks = shape.hidden.blocks();
  const auto is_scalar = [](const ops::IrrepBlock& b) { return b.degree == 0; };
  if (blocks.empty() || !is_scalar(blocks[0]) || blocks[0].parity != ops::Parity::even ||
      std::count_if(blocks.begin(), blocks.end(), is_scalar) != 1) {
    throw UsageError(fmt::format(
        "hidden irreps {}: they must begin with even scalars, for example 32x0e, and have no others",
        shape.hidden.to_string()));
  }
  if (shape.pooling == Pooling::heads && (shape.heads < 1 || shape.pooling_hidden % shape.heads != 0)) {
    throw UsageError(fmt::format("{} attention heads do not divide the {} numbers of the pooling",
                                 shape.heads, shape.pooling_hidden));
  }
}

ops::Floats parameter_of(const io::TensorMap& state, const std::string& name,
                         const std::vector<std::int64_t>& shape, const std::string& source) {
  const auto found = state.find(name);
  ops::Floats parameter(shape.empty() ? std::vector<std::int64_t>{1} : shape);
  if (found == state.end()) {
    throw InputError(fmt::format("{}: parameter {} is missing", source, name));
  }
  if (found->second.element_count() != parameter.count()) {
    throw InputError(fmt::format("{}: parameter {} has {} numbers, {} are needed", source, name,
                                 found->second.element_count(), parameter.count()));
  }
  const std::vector<float> numbers = found->second.to_float32();
  if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) {
    throw InputError(fmt::format("{}: parameter {} has a number that is not finite", source, name));
  }
  std::copy(numbers.begin(), numbers.end(), parameter.data());
  return parameter;
}

}  // namespace molgauge::pocket
