#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/io/tensors/published_weights.h"
#include "base/numerics/ops/precision.h"
#include "molecules/encoders/encoder.h"
#include "molgauge/conformers.h"

namespace molgauge::encoders {

/// Settings of an encoder from the command line or a request.
struct EncoderSettings {
  std::string device = "auto";         ///< value of --device
  std::string precision = "fp32";      ///< fp32, bf16 or int8 (base/numerics/ops/precision.h)
  std::filesystem::path weights = {};  ///< folder of installed weights. If empty, $MOLGAUGE_HOME/weights
  /// best_model.safetensors of a run that trained layers of the encoder (tuned_tensors.h). The path is empty
  /// if no run trained them.
  std::filesystem::path tuned = {};

  PlacementOptions placement = {};  ///< options for 3D encoders
  AtomPairChoice fine = {};
};

/// Sizes of a network with random weights. 0 selects the size of the published weights.
struct NetworkSizes {
  std::int64_t layers = 0, width = 0, hidden = 0, heads = 0, kernels = 0;
};

/// Describes an encoder before it is created. The command line, `molgauge weights`, `molgauge doctor` and
/// `molgauge demo` use the descriptors of the registry. Each encoder folder defines its descriptor.
struct EncoderDescriptor {
  std::string name;     ///< name for --encoder
  std::string summary;  ///< one line for help texts
  std::size_t width = 0;
  bool runs_on_gpu = false;
  bool can_be_tuned = false;       ///< the encoder supports EncoderSettings::tuned
  bool needs_conformer = false;    ///< molecules need 3D coordinates (chem::Perception::coordinates)
  bool has_fine_features = false;  ///< the encoder has atom features and pair features
  /// Supported precisions. The list is empty if the encoder does not support --precision.
  std::vector<ops::Precision> precisions;
  /// The number of inputs of the most expensive layer, which equals the number of its outputs. `--precision
  /// fast` measures a layer of this size.
  std::int64_t layer_width = 0;
  /// The published weights. Not set if the encoder has no weights.
  std::optional<io::PublishedWeights> weights;
  io::WeightCheck select_weights;
  /// Creates random tensors of a network of these sizes, for tests and measurements. Equal seeds give equal
  /// tensors. The function is null if the encoder does not support this. Throws UsageError if the sizes do
  /// not fit each other.
  io::TensorMap (*make_random_weights)(const NetworkSizes& sizes, std::uint64_t seed) = nullptr;

  /// Creates the encoder on the CPU. The registry has already checked the settings against this descriptor.
  /// Throws Error with installation instructions if weights are missing, and InputError if they are invalid.
  std::unique_ptr<Encoder> (*make)(const EncoderSettings& settings, ops::Precision precision) = nullptr;
};

}  // namespace molgauge::encoders
