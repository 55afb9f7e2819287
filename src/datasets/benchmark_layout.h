#pragma once

#include <cstdint>
#include <vector>

#include "datasets/domain_table.h"
#include "datasets/labelled_molecules.h"
#include "datasets/split_parts.h"

namespace headroom::datasets {

/// Which molecule goes where, and from which label on its class is 1.
struct BenchmarkLayout {
  DomainTable domains;
  SplitParts parts;
  double threshold = 0;
};

/// How GOOD's rules are applied.
struct GoodLayout {
  DomainKind domain = DomainKind::scaffold;  ///< by size, the large molecules are trained on
  bool shifted = true;                       ///< covariate shift, else none
};

/// As GOOD's program lays out for a seed. `classes`: labels are classes, else the threshold is the upper
/// median of the training labels. Throws InputError on too few molecules.
BenchmarkLayout lay_out_as_good(const std::vector<LabelledMolecule>& molecules, const GoodLayout& good,
                                bool classes, std::uint64_t seed);

/// As DrugOOD's program lays out for a seed. `classes`: labels are classes, else the threshold is
/// class_threshold().
BenchmarkLayout lay_out_as_drugood(const std::vector<LabelledMolecule>& molecules, bool classes,
                                   std::uint64_t seed);

}  // namespace headroom::datasets
