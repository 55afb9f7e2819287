#pragma once

#include <cstddef>

#include <GraphMol/ROMol.h>

/// Quick checks that decide which steps of the standardisation a molecule needs. Call them only within
/// with_rdkit().
namespace molgauge::chem {

/// The metals and metalloids of a molecule. A later value restricts standardisation more.
enum class Metals {
  none,
  ions,              ///< free ions that form salts, such as Na+
  bonded_to_oxygen,  ///< alkali or alkaline earth atoms that are drawn with bonds to oxygen or fluorine only
  complex,           ///< any other metal
};
Metals metals_of(const RDKit::ROMol& molecule);

/// Whether an atom outside nitro groups is charged.
bool has_charge(const RDKit::ROMol& molecule);

/// Whether a rule of RDKit's Normalizer may match. All of its rules need a charge, or a bond such as N#N, N=O
/// or S=O outside nitro and sulfonyl groups.
bool may_be_normalised(const RDKit::ROMol& molecule);

bool has_carbon(const RDKit::ROMol& molecule);

/// The number of unpaired electrons of all atoms except metals, whose electrons RDKit does not know.
std::size_t unpaired_electrons(const RDKit::ROMol& molecule);

/// Whether the molecule is a single fragment.
bool is_connected(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem
