#pragma once

#include <filesystem>

namespace headroom::session {

/// The path of the 5,000 molecules of the NCI set in Debian's rdkit-data ($RDBASE if RDKit is installed
/// elsewhere). The file need not exist.
std::filesystem::path nci_molecules_file();

}  // namespace headroom::session
