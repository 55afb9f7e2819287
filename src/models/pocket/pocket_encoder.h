#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/pocket/graph.h"

namespace headroom::pocket {

/// An encoder on some device: the rows [pockets, output] of a batch.
using PocketEncoder = std::function<ops::Floats(const Batch& batch)>;

/// The values of a parameter of an encoder. Throws InputError where it is not there or has another shape.
using ParameterReader =
    std::function<ops::Floats(const std::string& name, const std::vector<std::int64_t>& shape)>;

}  // namespace headroom::pocket
