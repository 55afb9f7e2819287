#pragma once

#include <string>

#include "models/pocket/force_field/force_field.h"

namespace headroom::pocket {

/// Reads the residues of a library of AMBER's (.lib, .off; ambermd.org/doc/OFF_file_format.txt) into `field`.
/// They replace residues with the same names. Units of several residues (boxes of solvent) are passed over.
/// Throws InputError naming file, line and reason: a table whose columns are not there or whose rows are cut,
/// a bond of an atom that the unit does not have, two atoms of one name.
void read_amber_library(const std::string& file, ForceField& field);

}  // namespace headroom::pocket
