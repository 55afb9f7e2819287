#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/encoders/descriptor.h"

namespace headroom::encoders {

/// Descriptors of the encoders there are. The first is the one that a command takes by default.
const std::vector<EncoderDescriptor>& all_encoders();

/// Adds an encoder to them: for programs that bring their own, before the first command. Throws UsageError
/// where there is one of this name.
void add_encoder(EncoderDescriptor descriptor);

/// Throws UsageError, listing the known ones and naming the one that was probably meant, on an unknown name.
const EncoderDescriptor& require_encoder(const std::string& name);

/// Null for an unknown name.
const EncoderDescriptor* find_encoder(const std::string& name);

/// Whether an encoder of this name has a use for a GPU. False for unknown names.
bool runs_on_gpu(const std::string& name);

/// Throws UsageError where `device` (as in --device) is one that the encoder has no use for, whether it is
/// there or not, and on an unknown name.
void require_device(const std::string& name, const std::string& device);

/// Makes an encoder on the CPU by name, its weights loaded and checked. (models/encoders/torch_registry.h
/// makes those on a GPU.) Throws as require_encoder() and EncoderDescriptor::make do, and UsageError on a
/// setting that has no effect on the encoder (a GPU, a precision or weights for ecfp).
std::unique_ptr<Encoder> make_encoder(const std::string& name, const EncoderSettings& settings);

}  // namespace headroom::encoders
