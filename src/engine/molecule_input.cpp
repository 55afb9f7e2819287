#include "engine/molecule_input.h"

#include "io/molecule_reader.h"

namespace headroom::verbs {

pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column) {
  io::MoleculeReaderOptions options;
  options.smiles_column = smiles_column;
  const std::shared_ptr<io::MoleculeReader> reader = io::open_molecules(path, options);
  return [reader]() -> std::optional<chem::MoleculeRecord> {
    auto row = reader->next();
    return row ? std::optional(std::move(row->record)) : std::nullopt;
  };
}

}  // namespace headroom::verbs
