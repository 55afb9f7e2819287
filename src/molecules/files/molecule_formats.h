#pragma once

#include <memory>
#include <string>

#include "molecules/files/molecule_reader.h"

namespace molgauge::io {

// One function for each format. open_molecules() chooses between them.
std::unique_ptr<MoleculeReader> open_csv_molecules(const std::string& path, char usual_separator,
                                                   const MoleculeReaderOptions& options);
/// The first sheet of an .xlsx.
std::unique_ptr<MoleculeReader> open_workbook(const std::string& path, const MoleculeReaderOptions& options);
/// Records in JSON (json_records.h).
std::unique_ptr<MoleculeReader> open_json_records(const std::string& path,
                                                  const MoleculeReaderOptions& options);
/// Returns null if neither a NamedTable nor a NamedPart has the name.
std::unique_ptr<MoleculeReader> open_named_table(const std::string& name,
                                                 const MoleculeReaderOptions& options);
std::unique_ptr<MoleculeReader> open_smiles_lines(const std::string& path,
                                                  const MoleculeReaderOptions& options);
std::unique_ptr<MoleculeReader> open_sdf(const std::string& path, const MoleculeReaderOptions& options);
std::unique_ptr<MoleculeReader> open_drugood_molecules(const std::string& path,
                                                       const MoleculeReaderOptions& options);

/// Cuts a text that is longer than chem::kLongestText to a hundred characters. Such a text is not a molecule,
/// and messages about it should be short.
void cut_long_text(chem::MoleculeRecord& record);

/// Called for formats without columns. Throws UsageError unless the option smiles_column has its default.
void refuse_smiles_column(const std::string& path, const MoleculeReaderOptions& options,
                          const std::string& format);

}  // namespace molgauge::io
