#pragma once

#include <filesystem>
#include <vector>

#include "molecules/judging/predictions/calibration_molecule.h"

namespace molgauge::domain {

/// Writes calibration molecules as a .csv file. Numbers have enough digits to be read back exactly. Throws
/// Error.
void write_calibration(const std::vector<CalibrationMolecule>& molecules, const std::filesystem::path& path);

/// Reads a file of write_calibration(). Throws InputError naming file and line if it is damaged.
std::vector<CalibrationMolecule> read_calibration(const std::filesystem::path& path);

}  // namespace molgauge::domain
