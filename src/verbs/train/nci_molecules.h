#pragma once

#include <filesystem>

namespace headroom::session {

/// The path of the 5,000 molecules of the NCI set in Debian's rdkit-data ($RDBASE where RDKit's files are
/// elsewhere), whether the file exists or not.
std::filesystem::path nci_molecules_file();

}  // namespace headroom::session
