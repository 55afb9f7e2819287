#pragma once

#include <cstdint>
#include <vector>

#include "datasets/domain_table.h"
#include "datasets/labelled_molecules.h"
#include "datasets/split_parts.h"
#include "datasets/split_plan.h"

namespace headroom::datasets {

/// Which molecule goes where, and from which label on its class is 1.
struct BenchmarkLayout {
  DomainTable domains;
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< good: of each of parts.train
  double threshold = 0;
};

/// Whether every label is 0 or 1, as is the single 0 of a table without labels. To be asked before molecules
/// are merged: of a molecule that was called both, the mean is neither.
bool labelled_with_classes(const std::vector<LabelledMolecule>& molecules);

/// As GOOD's program lays out for a seed. `classes`: labels are classes and keep theirs (a merged one of 0.5
/// counts as 1), else the threshold is the upper median of the training labels. Throws InputError on too few
/// molecules.
BenchmarkLayout lay_out_as_good(const std::vector<LabelledMolecule>& molecules, bool classes,
                                const SplitPlan& plan, std::uint64_t seed);

/// As DrugOOD's program lays out for a seed, likewise; of labels that are values the threshold is
/// class_threshold().
BenchmarkLayout lay_out_as_drugood(const std::vector<LabelledMolecule>& molecules, bool classes,
                                   const SplitPlan& plan, std::uint64_t seed);

}  // namespace headroom::datasets
