#pragma once

#include <cstddef>
#include <vector>

#include "chem/record.h"
#include "datasets/domain_value.h"
#include "headroom/split.h"

namespace headroom::datasets {

struct LabelledMolecule {
  chem::MoleculeRecord record;  ///< SMILES
  double label = 0;
  DomainValue domain;
};

/// What a split is made from, and what was left out of it.
struct LabelledMolecules {
  std::vector<LabelledMolecule> molecules;  ///< with a label, valid, in the order of the input
  std::size_t rows = 0;                     ///< records of the input
  std::size_t unlabelled = 0;               ///< left out: the label's field is empty
  std::vector<FailedMolecule> failed;       ///< left out: no molecule
};

/// Reads request.molecules with labels from request.label_column (all 0 when that is empty), and finds each
/// molecule's domain. Throws InputError naming file and line on a label that is no number, on a mol block
/// (a benchmark holds SMILES), on the first invalid molecule if request.strict; and when nothing is left.
LabelledMolecules read_labelled_molecules(const SplitRequest& request, DomainKind kind);

}  // namespace headroom::datasets
