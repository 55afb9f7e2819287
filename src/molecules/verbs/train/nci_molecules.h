#pragma once

#include <filesystem>

namespace molgauge::verbs {

/// Returns the path of the file with 5,000 molecules of the NCI set. The file is part of Debian's package
/// rdkit-data. If RDKit is installed elsewhere, the path begins with $RDBASE. The file need not exist.
std::filesystem::path nci_molecules_file();

}  // namespace molgauge::verbs
