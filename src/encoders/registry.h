#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "encoders/encoder.h"

namespace headroom::encoders {

struct EncoderSettings {
  std::string device = "auto";         ///< as in --device
  std::string precision = "fp32";      ///< fp32, bf16 or int8 (ops/precision.h)
  std::filesystem::path weights = {};  ///< folder of installed weights; empty: $HEADROOM_HOME/weights
};

/// Names of the encoders there are.
std::vector<std::string> encoder_names();

/// Throws UsageError, listing the known ones and naming the one that was probably meant, on an unknown name.
void require_encoder_name(const std::string& name);

/// Whether an encoder of this name has a use for a GPU. False for unknown names.
bool runs_on_gpu(const std::string& name);

/// Makes an encoder on the CPU by name, its weights loaded and checked. (encoders/torch_registry.h makes
/// those on a GPU.) Throws UsageError on an unknown name (listing the known ones) and on a setting that has
/// no effect on the encoder (a GPU, a precision or weights for ecfp); Error when weights are not installed
/// (saying how they are); InputError on weights that are not what they should be.
std::unique_ptr<Encoder> make_encoder(const std::string& name, const EncoderSettings& settings);

}  // namespace headroom::encoders
