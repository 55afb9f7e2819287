#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/io/tensors/published_weights.h"
#include "headroom/conformers.h"
#include "models/encoders/encoder.h"
#include "numerics/ops/precision.h"

namespace headroom::encoders {

/// What a command says about the encoder it wants.
struct EncoderSettings {
  std::string device = "auto";         ///< as in --device
  std::string precision = "fp32";      ///< fp32, bf16 or int8 (numerics/ops/precision.h)
  std::filesystem::path weights = {};  ///< folder of installed weights; empty: $HEADROOM_HOME/weights
  /// best_model.safetensors of a run that has trained layers of the encoder (tuned_tensors.h); empty: none.
  std::filesystem::path tuned = {};

  PlacementOptions placement = {};  ///< for encoders of atoms in space alone
  AtomPairChoice fine = {};
};

/// Sizes of a network with random weights; 0: those of the published weights.
struct NetworkSizes {
  std::int64_t layers = 0, width = 0, hidden = 0, heads = 0, kernels = 0;
};

/// What is known of an encoder before one is made: the command line's checks and help texts, the weights to
/// install, `headroom doctor` and the demonstration go through the descriptors of the registry. An encoder's
/// folder defines its own.
struct EncoderDescriptor {
  std::string name;     ///< as in --encoder
  std::string summary;  ///< one line for help texts
  std::size_t width = 0;
  bool runs_on_gpu = false;
  bool can_be_tuned = false;       ///< EncoderSettings::tuned has an effect
  bool needs_conformer = false;    ///< its molecules are atoms in space (chem::Perception::coordinates)
  bool has_fine_features = false;  ///< it has features of atoms and of pairs of them
  /// What its products can be computed in; empty: it has none, and --precision has no effect.
  std::vector<ops::Precision> precisions;
  /// Inputs and outputs of the layer that takes most of its time: what `--precision fast` is measured on.
  std::int64_t layer_width = 0;
  /// Empty: it has no weights.
  std::optional<io::PublishedWeights> weights;
  io::WeightCheck select_weights;
  /// Makes the tensors of a network of these sizes from random numbers, for tests and measurements; the same
  /// seed gives the same tensors. Null: none are made for this encoder. Throws UsageError where the sizes do
  /// not fit each other.
  io::TensorMap (*make_random_weights)(const NetworkSizes& sizes, std::uint64_t seed) = nullptr;

  /// Makes one on the CPU. The registry has checked the settings against what stands above. Throws Error when
  /// weights are not installed (saying how they are), InputError when they are not what they should be.
  std::unique_ptr<Encoder> (*make)(const EncoderSettings& settings, ops::Precision precision) = nullptr;
};

}  // namespace headroom::encoders
