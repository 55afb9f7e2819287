#pragma once

#include <memory>
#include <vector>

#include <GraphMol/ROMol.h>

#include "molgauge/properties.h"

namespace molgauge::chem {

/// The substructures of the quantitative estimate of drug-likeness of Bickerton et al. (2012, DOI
/// 10.1038/nchem.1243), with the patterns, the parameters and the mean weights of RDKit's Python module QED.
class QedPatterns {
 public:
  QedPatterns();

  /// `known`: the weight, log P, donors, polar surface and rotatable bonds of the molecule.
  double qed(const RDKit::ROMol& molecule, const MoleculeProperties& known) const;

 private:
  using Patterns = std::vector<std::unique_ptr<RDKit::ROMol>>;

  Patterns acceptors_, alerts_;
  std::unique_ptr<RDKit::ROMol> aliphatic_ring_;
};

}  // namespace molgauge::chem
