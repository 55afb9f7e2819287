#pragma once

#include <cstdint>
#include <vector>

#include "data/datasets/domain_table.h"
#include "data/datasets/labelled_molecules.h"
#include "data/datasets/split_parts.h"
#include "data/datasets/split_plan.h"

namespace headroom::datasets {

/// The part of each molecule, and the label from which on its class is 1.
struct BenchmarkLayout {
  DomainTable domains;
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< good: one for each of parts.train
  double threshold = 0;
};

/// Whether every label is 0 or 1, like the single 0 of a table without labels. Call it before molecules are
/// merged: the mean of contradictory labels is neither.
bool labelled_with_classes(const std::vector<LabelledMolecule>& molecules);

/// The layout of GOOD's program for a seed. `classes`: labels are classes and stay (a merged one of 0.5
/// counts as 1); otherwise the threshold is the upper median of the training labels. Throws InputError on too
/// few molecules.
BenchmarkLayout lay_out_as_good(const std::vector<LabelledMolecule>& molecules, bool classes,
                                const SplitPlan& plan, std::uint64_t seed);

/// The layout of DrugOOD's program for a seed, as above; for labels that are values the threshold is
/// class_threshold().
BenchmarkLayout lay_out_as_drugood(const std::vector<LabelledMolecule>& molecules, bool classes,
                                   const SplitPlan& plan, std::uint64_t seed);

}  // namespace headroom::datasets
