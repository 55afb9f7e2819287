#pragma once

#include <string>

#include "pipeline/encode_molecules.h"

namespace headroom::verbs {

/// The molecules of a file (io/molecule_reader.h) as the pipeline takes them.
pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column);

/// How many records the file has, for the time left. 0 where that cannot be known beforehand: standard input,
/// a pipe, a damaged file (which the reading proper will report, after the good records before the damage).
std::size_t count_molecules(const std::string& path, const std::string& smiles_column);

}  // namespace headroom::verbs
