#pragma once

#include <filesystem>
#include <string>

#include "data/io/tensors/tensor_data.h"

namespace headroom::encoders {

/// Before the names of an encoder's tensors in the files of a run whose training changed them.
inline constexpr const char* kTunedPrefix = "tuned_encoder.";

/// 16 hexadecimal digits that depend on every number of the tensors with that prefix.
std::string fingerprint_of_tuned(const io::TensorMap& tensors);

/// Replaces tensors of an encoder by those of the same name that `file`, best_model.safetensors of a run, has
/// under the prefix. Returns their fingerprint. Throws InputError naming the file when it has none, or when
/// one is not the encoder's.
std::string replace_by_tuned(io::TensorMap& tensors, const std::filesystem::path& file);

/// What the fingerprint adds to the options of an encoder's identity.
inline std::string tuned_option(const std::string& fingerprint) { return ";tuned=" + fingerprint; }

}  // namespace headroom::encoders
