#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pockets/graph.h"

namespace molgauge::pocket {

/// An encoder on a device. Returns the rows [pockets, output] of a batch.
using PocketEncoder = std::function<ops::Floats(const Batch& batch)>;

/// Returns the values of a parameter. Throws InputError if it is missing or has another shape.
using ParameterReader =
    std::function<ops::Floats(const std::string& name, const std::vector<std::int64_t>& shape)>;

}  // namespace molgauge::pocket
