#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "molecules/chem/input_conformer.h"
#include "molecules/encoders/unimol/featuriser.h"

namespace molgauge::bench {

using Molecules = std::vector<std::unique_ptr<encoders::unimol::Inputs>>;

/// Reads the 3D molecules from a file of `molgauge conformers`, in the order of the file. The result is empty
/// if `path` is null or the file does not exist.
inline Molecules read_conformers(const char* path, chem::Coordinates atoms) {
  Molecules molecules;
  std::ifstream file(path == nullptr ? "" : path);
  chem::MoleculeRecord record;
  record.format = chem::RecordFormat::molblock;
  bool is_in_block = true;  // false in the data fields after the mol block
  for (std::string line; std::getline(file, line);) {
    if (line == "$$$$") {
      if (const auto conformer = chem::input_conformer(record, atoms)) {  // empty for 2D coordinates
        molecules.push_back(encoders::unimol::featurise(*conformer));
      }
      record.text.clear();
      is_in_block = true;
    } else if (is_in_block) {
      record.text += line + "\n";
      is_in_block = line != "M  END";
    }
  }
  return molecules;
}

}  // namespace molgauge::bench
