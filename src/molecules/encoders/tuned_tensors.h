#pragma once

#include <filesystem>
#include <string>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::encoders {

/// Prefix of the names of tuned encoder tensors in the files of a run.
inline constexpr const char* kTunedPrefix = "tuned_encoder.";

/// Returns 16 hexadecimal digits that depend on every number of the tensors with the prefix kTunedPrefix.
std::string fingerprint_of_tuned(const io::TensorMap& tensors);

/// Replaces tensors of an encoder by the tuned tensors in `file`, which is the best_model.safetensors of a
/// run. A name in `file` is kTunedPrefix followed by the name of the tensor in the encoder. Returns the
/// fingerprint of the tuned tensors. Throws InputError with the file if it has no tuned tensors, or if a
/// tensor does not belong to the encoder.
std::string replace_by_tuned(io::TensorMap& tensors, const std::filesystem::path& file);

/// The text that the fingerprint adds to the options in the identity of an encoder.
inline std::string tuned_option(const std::string& fingerprint) { return ";tuned=" + fingerprint; }

}  // namespace molgauge::encoders
