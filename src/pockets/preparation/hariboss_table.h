#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace molgauge::pocket {

/// A row of the HARIBOSS table of complexes (hariboss.pasteur.cloud).
struct ComplexRow {
  std::string pdb;     ///< PDB code in lower case
  std::string ligand;  ///< residue name of the first ligand, as written
  std::size_t line = 0;
  std::string problem = {};  ///< the reason if the row has no valid complex; otherwise empty
};

/// Reads at most `most` rows. A complex that occurs twice is returned once. The PDB code is in the first
/// existing column of id, pdb_id, PDB_ID, pdbid, PDBID, PDB. The ligand is in the first existing column of
/// sm_ligand_ids, ligand, Ligand, ligand_resname, LIGAND, ligand_name. The ligand column contains a list in
/// Python notation, and first_ligand() reads its first entry. Throws InputError with the file if a column is
/// missing or the table has no rows.
std::vector<ComplexRow> read_hariboss_table(const std::string& file, const std::optional<std::size_t>& most);

/// Returns the residue name of the first ligand in an entry such as "['ARG_.:B/47:A', 'K_.:B/49:A']" or
/// "ARG". The name ends at the first _ or :. Returns an empty text if the entry has no name.
std::string first_ligand(const std::string& entry);

}  // namespace molgauge::pocket
