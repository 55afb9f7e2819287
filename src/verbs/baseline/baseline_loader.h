#pragma once

#include <cstddef>
#include <string>

#include "runtime/torch_backend.h"

namespace molgauge::session {

/// Implements TorchBackend::load_baseline().
StoredBaseline load_baseline(const std::string& run, const std::string& method, std::size_t threads);

}  // namespace molgauge::session
