#pragma once

#include <memory>

#include "molecules/encoders/minimol/inputs.h"

namespace molgauge::encoders::minimol {

/// Inputs of a synthetic molecule, to measure the memory of a batch. It has this number of atoms and directed
/// edges, and as many kinds of edges as real molecules have.
std::unique_ptr<Inputs> made_up_inputs(std::size_t atoms, std::size_t directed_edges);

}  // namespace molgauge::encoders::minimol
