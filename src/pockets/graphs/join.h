#pragma once

#include <memory>
#include <span>

#include "pockets/graph.h"

namespace molgauge::pocket {

/// Concatenates at least one batch. The atoms follow each other, and the numbers of atoms and terms are
/// shifted accordingly. Returns a single batch without copying its arrays.
Batch join(std::span<const std::shared_ptr<const Batch>> batches);

}  // namespace molgauge::pocket
