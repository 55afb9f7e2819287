#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/datasets/domain_value.h"
#include "molgauge/split.h"

namespace molgauge::datasets {

struct LabelledMolecule {
  chem::MoleculeRecord record;                ///< SMILES
  std::vector<std::optional<double>> labels;  ///< one for each label column; not set if unknown
  /// The label that a split uses: the mean of the known labels, or 0 if none is known. For measurements,
  /// DrugOOD's shift of censored values has been applied.
  double label = 0;
  std::int64_t assay_id = 0;
  DomainValue domain;
  std::string canonical_smiles;
  std::size_t bonds = 0;
};

/// The molecules of a split, and counts of the records that were left out.
struct LabelledMolecules {
  std::vector<LabelledMolecule> molecules;  ///< valid, in the order of the input
  std::size_t rows = 0;                     ///< records of the input
  std::size_t unlabelled = 0;               ///< records left out because the only label is unknown
  std::size_t filtered = 0;                 ///< records left out by the assay filter or because another field
                                            ///< is empty
  std::vector<FailedMolecule> failed;       ///< records left out because they are not molecules
};

/// Reads the file of the request, filters assays if the request names a subset, and finds the domain of each
/// molecule. Throws the InputErrors of read_labelled_records(). Throws InputError on the first invalid
/// molecule if request.strict is set, and if no molecule remains.
LabelledMolecules read_labelled_molecules(const SplitRequest& request, DomainKind kind);

}  // namespace molgauge::datasets
