#pragma once

#include <string>
#include <vector>

#include "models/pocket/topology/topology.h"

namespace headroom::pocket {

/// The positions of all atoms in a file, in Angstrom: AMBER's .inpcrd, .rst7 and the like as text, its
/// restart files in NetCDF's classic format, or the first model of a .pdb. Velocities and boxes are passed
/// over. Throws InputError naming file, line or variable, and reason: cut short, a field that is no number,
/// NaN.
std::vector<Position> read_coordinates(const std::string& file);

/// The file beside a topology that has its coordinates: of the same stem, .inpcrd, .rst7, .rst, .crd, .ncrst,
/// .pdb, looked for in this order, else rna.inpcrd in the same folder. Throws InputError where there is none.
std::string find_coordinates(const std::string& topology);

}  // namespace headroom::pocket
