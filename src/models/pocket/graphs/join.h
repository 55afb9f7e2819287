#pragma once

#include <span>

#include "models/pocket/graph.h"

namespace headroom::pocket {

/// Pockets side by side: the atoms of one behind those of the other, atom numbers of terms moved accordingly.
Pockets join(std::span<const Pockets> pockets);

}  // namespace headroom::pocket
