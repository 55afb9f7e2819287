#pragma once

#include <cstdint>
#include <vector>

#include "molecules/datasets/domain_table.h"
#include "molecules/datasets/labelled_molecules.h"
#include "molecules/datasets/split_parts.h"
#include "molecules/datasets/split_plan.h"

namespace molgauge::datasets {

/// The part of each molecule, and the threshold. A label is class 1 if it is at least the threshold.
struct BenchmarkLayout {
  DomainTable domains;
  SplitParts parts;
  std::vector<std::size_t> train_environment;  ///< for `good`: environment of each row of parts.train
  double threshold = 0;
};

/// Whether every label is 0 or 1. An unknown label counts as 0, so the result is true for a table without
/// labels. Call it before molecules are merged, because the mean of contradictory labels is neither 0 nor 1.
bool labelled_with_classes(const std::vector<LabelledMolecule>& molecules);

/// Returns the layout of GOOD's program for a seed. If `classes` is true, the labels are classes and stay as
/// they are, and a merged label of 0.5 counts as 1. If `classes` is false, the threshold is the upper median
/// of the training labels. Throws InputError if there are too few molecules.
BenchmarkLayout lay_out_as_good(const std::vector<LabelledMolecule>& molecules, bool classes,
                                const SplitPlan& plan, std::uint64_t seed);

/// Returns the layout of DrugOOD's program for a seed. The arguments are the same as for lay_out_as_good().
/// If `classes` is false, the threshold is class_threshold().
BenchmarkLayout lay_out_as_drugood(const std::vector<LabelledMolecule>& molecules, bool classes,
                                   const SplitPlan& plan, std::uint64_t seed);

}  // namespace molgauge::datasets
