#pragma once

#include <memory>
#include <string>
#include <vector>

#include "molecules/encoders/descriptor.h"

namespace molgauge::encoders {

/// The descriptors of all encoders. The first one is the default of commands.
const std::vector<EncoderDescriptor>& all_encoders();

/// Adds an encoder. Programs with additional encoders call it before the first command. Throws UsageError if
/// an encoder with this name exists.
void add_encoder(EncoderDescriptor descriptor);

/// Returns the encoder. For an unknown name, throws UsageError with the known names and the most similar
/// name.
const EncoderDescriptor& require_encoder(const std::string& name);

/// Returns the encoder, or null for an unknown name.
const EncoderDescriptor* find_encoder(const std::string& name);

/// Returns true if the encoder can use a GPU, and false for unknown names.
bool runs_on_gpu(const std::string& name);

/// Throws UsageError if the encoder cannot use `device` (as in --device), independent of whether the device
/// exists. Also throws it for an unknown name.
void require_device(const std::string& name, const std::string& device);

/// Creates an encoder on the CPU by name, and loads and checks its weights.
/// molecules/encoders/torch_registry.h creates encoders on a GPU. Throws the exceptions of require_encoder()
/// and EncoderDescriptor::make. Also throws UsageError if a setting does not apply to the encoder, for
/// example a GPU, a precision or weights for ecfp.
std::unique_ptr<Encoder> make_encoder(const std::string& name, const EncoderSettings& settings);

}  // namespace molgauge::encoders
