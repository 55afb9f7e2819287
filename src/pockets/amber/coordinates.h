#pragma once

#include <string>
#include <vector>

#include "pockets/topology/topology.h"

namespace molgauge::pocket {

/// Reads the positions of all atoms in Angstrom. The file is a text file of AMBER (.inpcrd, .rst7), a restart
/// file in classic NetCDF format, or a .pdb file, of which the first model is read. Velocities and boxes are
/// skipped. Throws InputError for a truncated file, an invalid number, or NaN, with the file, the line or
/// variable, and the reason.
std::vector<Position> read_coordinates(const std::string& file);

/// Finds the file with the coordinates of a topology in the same folder. The file has the name of the
/// topology with the extension .inpcrd, .rst7, .rst, .crd, .ncrst or .pdb (in this order), or is rna.inpcrd.
/// Throws InputError if no file exists.
std::string find_coordinates(const std::string& topology);

}  // namespace molgauge::pocket
