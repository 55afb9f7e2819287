#pragma once

#include <string>

#include "pockets/force_field/force_field.h"

namespace molgauge::pocket {

/// Reads the residues of an AMBER library (.lib, .off; ambermd.org/doc/OFF_file_format.txt) into `field`.
/// These residues replace residues with the same names. Units of several residues (boxes of solvent) are
/// skipped. Throws InputError with file, line and reason for a table with missing columns or truncated rows,
/// a bond to a missing atom, and two atoms with the same name.
void read_amber_library(const std::string& file, ForceField& field);

}  // namespace molgauge::pocket
