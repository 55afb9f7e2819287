#pragma once

#include <memory>

#include "encoders/minimol/inputs.h"

namespace headroom::encoders::minimol {

/// Inputs of a molecule that is none: so many atoms and directed edges, which go round the atoms, in as many
/// kinds as real molecules have. For measuring what a batch of such molecules takes.
std::unique_ptr<Inputs> made_up_inputs(std::size_t atoms, std::size_t directed_edges);

}  // namespace headroom::encoders::minimol
