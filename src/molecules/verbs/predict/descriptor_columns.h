#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/files/molecule_reader.h"
#include "molgauge/in_memory.h"

namespace molgauge::verbs {

/// Returns the names in --descriptor-columns. Each value of the option can contain several names, separated
/// by commas. Throws UsageError if the models take another number of descriptors.
std::vector<std::string> descriptor_names(const std::vector<std::string>& given,
                                          const encoders::chemprop::ModelSet& set);

/// The descriptors of molecules, in the order of the molecules. Both functions are null if the models take no
/// descriptors.
struct DescriptorSource {
  /// Returns the descriptors of the next molecules, row by row. `failed`: whether each of them failed.
  std::function<std::vector<double>(const std::vector<bool>& failed)> next;
  /// Call it after the last molecule. Throws InputError if the file changed while it was read.
  std::function<void()> end;
  /// Returns the descriptors of the parent (Standardize::parent) of molecule `i` of the last call of next().
  /// Null if the parent has the descriptors of the molecule.
  std::function<std::vector<double>(std::size_t i)> of_parent = {};
};

/// A file of molecules, and its name in messages.
struct DescribedFile {
  std::string path, shown, smiles_column;
};

/// Returns a source that reads the columns `names` of a file. First reads the whole file to check it. Throws
/// InputError with file, line and column if a cell is empty or not a number, or if a column is missing.
DescriptorSource descriptors_of(const DescribedFile& file, const std::vector<std::string>& names);

/// Returns a source that reads the columns `names` of a table. Throws InputError with row and column if a
/// number is missing.
DescriptorSource descriptors_of(const MoleculeTable& table, const std::vector<std::string>& names);

}  // namespace molgauge::verbs
