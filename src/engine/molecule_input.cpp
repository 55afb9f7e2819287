#include "engine/molecule_input.h"

#include <filesystem>

#include "core/error.h"
#include "io/molecule_reader.h"
#include "pipeline/file_source.h"

namespace headroom::verbs {
namespace {

std::unique_ptr<io::MoleculeReader> open(const std::string& path, const std::string& smiles_column) {
  io::MoleculeReaderOptions options;
  options.smiles_column = smiles_column;
  return io::open_molecules(path, options);
}

}  // namespace

pipeline::MoleculeSource molecules_of(const std::string& path, const std::string& smiles_column) {
  if (std::filesystem::is_regular_file(path)) {
    return pipeline::reopening_source([path, smiles_column] { return open(path, smiles_column); });
  }
  const std::shared_ptr<io::MoleculeReader> reader = open(path, smiles_column);
  return [reader]() -> std::optional<chem::MoleculeRecord> {
    auto row = reader->next();
    return row ? std::optional(std::move(row->record)) : std::nullopt;
  };
}

std::size_t count_molecules(const std::string& path, const std::string& smiles_column) {
  if (!std::filesystem::is_regular_file(path)) {
    return 0;
  }
  try {
    const auto reader = open(path, smiles_column);
    std::size_t count = 0;
    while (reader->next()) {
      ++count;
    }
    return count;
  } catch (const InputError&) {
    return 0;
  }
}

}  // namespace headroom::verbs
