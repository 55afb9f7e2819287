#pragma once

#include <filesystem>

#include "molecules/judging/training_set.h"

namespace molgauge::domain {

/// Writes the training molecules to a CSV file: name, SMILES, canonical SMILES and scaffold, and the keys if
/// there are any. Throws Error if the file cannot be written.
void write_molecules(const TrainingNotes& notes, const std::filesystem::path& path);

/// Reads the notes that write_molecules() wrote. Of the known parts, only the scaffolds are set. Throws
/// InputError naming the file if it is damaged.
TrainingNotes read_molecules(const std::filesystem::path& path);

}  // namespace molgauge::domain
