#pragma once

#include <cstddef>
#include <string>

#include "molecules/encoding/session/molecule_torch.h"

namespace molgauge::verbs {

/// Implements MoleculeTorch::load_baseline().
session::StoredBaseline load_baseline(const std::string& run, const std::string& method, std::size_t threads);

}  // namespace molgauge::verbs
