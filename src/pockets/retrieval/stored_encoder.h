#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "pockets/graphs/graph_set.h"
#include "pockets/network.h"
#include "pockets/pocket_encoder.h"

namespace molgauge::pocket {

/// A trained encoder for plain arrays on the CPU.
struct StoredEncoder {
  std::string file;  ///< the checkpoint
  EncoderShape shape;
  PocketEncoder encode;  ///< may be called by several threads at once
  /// Normalisation of the training features. If it is not set, features are normalised with the statistics of
  /// the graph set that is encoded.
  std::optional<FeatureNormalization> normalization;
};

/// Reads an encoder from a run folder (best_model.safetensors, or best_model.pt of the Python project) or
/// from a checkpoint. The options come from config.json in the same folder. Without it, the shape is derived
/// from the checkpoint. `reference_compatible`: use the published layer norm, even if the options do not say
/// so. Throws InputError with the file.
StoredEncoder read_encoder(const std::filesystem::path& path, bool reference_compatible);

/// Returns a function that reads the parameters of the encoder again, to create an encoder on another device.
ParameterReader parameters_of(const StoredEncoder& encoder);

/// Encodes the graphs `chosen` of a set. Returns the rows [graphs, output], which are bit-identical for any
/// number of threads. Throws the errors of GraphSet::load().
ops::Floats encode_pockets(const StoredEncoder& encoder, const GraphSet& graphs,
                           const std::vector<std::size_t>& chosen, std::size_t threads, bool quiet);

/// Returns the peak bytes of tensors for one thread that encodes one graph. Measures the most expensive of
/// the graphs `chosen`.
std::uint64_t bytes_of_encoding(const StoredEncoder& encoder, const GraphSet& graphs,
                                const std::vector<std::size_t>& chosen);

}  // namespace molgauge::pocket
