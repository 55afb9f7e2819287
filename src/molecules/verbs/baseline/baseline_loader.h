#pragma once

#include <cstddef>
#include <string>

#include "molecules/encoding/session/molecule_torch.h"

namespace molgauge::session {

/// Implements MoleculeTorch::load_baseline().
StoredBaseline load_baseline(const std::string& run, const std::string& method, std::size_t threads);

}  // namespace molgauge::session
