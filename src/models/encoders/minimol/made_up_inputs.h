#pragma once

#include <memory>

#include "models/encoders/minimol/inputs.h"

namespace headroom::encoders::minimol {

/// Inputs of a made-up molecule: this many atoms and directed edges, which go round the atoms, in as many
/// kinds as real molecules have. For measuring the memory of a batch of such molecules.
std::unique_ptr<Inputs> made_up_inputs(std::size_t atoms, std::size_t directed_edges);

}  // namespace headroom::encoders::minimol
