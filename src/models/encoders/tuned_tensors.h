#pragma once

#include <filesystem>
#include <string>

#include "data/io/tensors/tensor_data.h"

namespace headroom::encoders {

/// Prefix of the names of tuned encoder tensors in the files of a run.
inline constexpr const char* kTunedPrefix = "tuned_encoder.";

/// 16 hexadecimal digits that depend on every number of the tensors with that prefix.
std::string fingerprint_of_tuned(const io::TensorMap& tensors);

/// Replaces tensors of an encoder by those of the same name that `file`, best_model.safetensors of a run, has
/// under the prefix. Returns their fingerprint. Throws InputError with the file if it has no such tensors or
/// if one does not belong to the encoder.
std::string replace_by_tuned(io::TensorMap& tensors, const std::filesystem::path& file);

/// What the fingerprint adds to the options of an encoder's identity.
inline std::string tuned_option(const std::string& fingerprint) { return ";tuned=" + fingerprint; }

}  // namespace headroom::encoders
