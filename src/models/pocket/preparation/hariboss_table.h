#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom::pocket {

/// A row of HARIBOSS's table of complexes (hariboss.pasteur.cloud).
struct ComplexRow {
  std::string pdb;     ///< in lower case
  std::string ligand;  ///< name of the first ligand's residue, as it is written
  std::size_t line = 0;
  std::string problem = {};  ///< why the row names no complex; else empty
};

/// Reads the first `most` rows. A complex that occurs twice is returned once. The PDB code is in the first of
/// the columns id, pdb_id, PDB_ID, pdbid, PDBID, PDB that there is, the ligand in the first of sm_ligand_ids,
/// ligand, Ligand, ligand_resname, LIGAND, ligand_name: the first entry of a list in Python's spelling, up to
/// its first _ or :. Throws InputError with the file if a column is missing or the table has no rows.
std::vector<ComplexRow> read_hariboss_table(const std::string& file, const std::optional<std::size_t>& most);

/// Returns the residue name in an entry such as "['ARG_.:B/47:A', 'K_.:B/49:A']" or "ARG". Empty if the entry
/// has no name.
std::string first_ligand(const std::string& entry);

}  // namespace headroom::pocket
