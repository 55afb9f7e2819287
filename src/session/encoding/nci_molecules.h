#pragma once

#include <filesystem>

namespace headroom::session {

/// The 5,000 molecules of the NCI set in Debian's rdkit-data ($RDBASE where RDKit's files lie elsewhere);
/// whether they are there or not.
std::filesystem::path nci_molecules_file();

}  // namespace headroom::session
