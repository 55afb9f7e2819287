#pragma once

#include <string>

#include "base/io/pickle/pickle_value.h"

namespace molgauge::encoders::chemprop {

/// Throws InputError if a checkpoint names a class or function outside of the packages that checkpoints of
/// chemprop use. Molgauge does not execute such code, but torch.load() would. `file`: for the message.
void require_known_names(const io::PickleDocument& document, const std::string& file);

}  // namespace molgauge::encoders::chemprop
