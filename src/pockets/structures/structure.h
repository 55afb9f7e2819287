#pragma once

#include <string>
#include <vector>

#include "pockets/topology/topology.h"

/// Molecular structures as plain data. gemmi reads them.
namespace molgauge::pocket {

struct StructureAtom {
  std::string name;  ///< for example "C1'"; a * in older names is replaced by '
  int element = 0;   ///< atomic number
  Position position{};
};

struct StructureResidue {
  std::string name;         ///< "A", "ARG"
  std::string chain;        ///< the author's name of the chain
  std::string number;       ///< residue number with insertion code: "17A"
  bool is_nucleic = false;  ///< part of a chain of nucleic acid, modified or not
  bool is_peptide = false;  ///< part of a chain of amino acids
  bool is_water = false;
  std::vector<StructureAtom> atoms;  ///< one location per atom; if there are alternatives, the first

  /// Returns a text such as "PSU 17 of chain A".
  std::string label() const { return name + " " + number + " of chain " + chain; }
  const StructureAtom* find(const std::string& atom) const;
};

using StructureModel = std::vector<StructureResidue>;

/// Reads all models of a .cif, .pdb or .ent file, which may be gzipped. Throws InputError with the file and
/// the reason, also if there are no atoms or a coordinate is not finite.
std::vector<StructureModel> read_structure(const std::string& file);

/// Returns the indices of the residues with the name of the ligand, ignoring case. Residues that are not part
/// of a nucleic acid or peptide chain have priority. If there are any, only these are returned.
std::vector<std::size_t> find_ligand(const StructureModel& model, const std::string& name);

/// The indices of the residues that have an atom within `cutoff` of an atom of the ligand, in the order of
/// the model. Excludes the ligand itself.
std::vector<std::size_t> find_pocket(const StructureModel& model, const std::vector<std::size_t>& ligand,
                                     double cutoff);

}  // namespace molgauge::pocket
