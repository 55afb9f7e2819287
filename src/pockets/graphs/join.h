#pragma once

#include <span>

#include "pockets/graph.h"

namespace molgauge::pocket {

/// Concatenates pockets. The atoms follow each other, and the atom numbers of terms are shifted accordingly.
Pockets join(std::span<const Pockets> pockets);

}  // namespace molgauge::pocket
