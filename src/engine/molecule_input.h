#pragma once

#include <string>

#include "pipeline/encode_molecules.h"

namespace headroom::verbs {

/// The molecules of a file (io/molecule_reader.h) as the pipeline takes them.
pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column);

}  // namespace headroom::verbs
