#pragma once

#include <string>
#include <vector>

#include "models/pocket/topology/topology.h"

/// Structures of molecules, read by gemmi, as plain data.
namespace headroom::pocket {

struct StructureAtom {
  std::string name;  ///< "C1'"; older names with * in place of ' are changed
  int element = 0;   ///< atomic number
  Position position{};
};

struct StructureResidue {
  std::string name;         ///< "A", "ARG"
  std::string chain;        ///< the author's name of the chain
  std::string number;       ///< with insertion code: "17A"
  bool is_nucleic = false;  ///< part of a chain of nucleic acid, modified or not
  bool is_peptide = false;  ///< part of a chain of amino acids
  bool is_water = false;
  std::vector<StructureAtom> atoms;  ///< one place each: the first alternative

  /// "PSU 17 of chain A"
  std::string label() const { return name + " " + number + " of chain " + chain; }
  const StructureAtom* find(const std::string& atom) const;
};

using StructureModel = std::vector<StructureResidue>;

/// All models of a .cif, .pdb or .ent, also gzipped, in their order. Throws InputError with the file and the
/// reason, also if there are no atoms or a coordinate is not finite.
std::vector<StructureModel> read_structure(const std::string& file);

/// Returns the numbers of the ligand residues: the residues with this name. If some of them are outside a
/// chain, only these are returned. Case is ignored. Empty if there is none.
std::vector<std::size_t> find_ligand(const StructureModel& model, const std::string& name);

/// The numbers of the residues with an atom at most `cutoff` from an atom of the ligand, without the ligand
/// itself, in the order of the model.
std::vector<std::size_t> find_pocket(const StructureModel& model, const std::vector<std::size_t>& ligand,
                                     double cutoff);

}  // namespace headroom::pocket
