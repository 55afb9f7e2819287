#pragma once

#include <vector>

#include "molecules/datasets/labelled_molecules.h"

/// Merges duplicate records. Records are duplicates if their texts are equal, or if they are spellings of the
/// same molecule. One record remains for each group, in order of first appearance, with the text, domain and
/// assay of the first record.
namespace molgauge::datasets {

enum class DuplicateCriterion { text, molecule };

/// The remaining record has the labels of the first record.
std::vector<LabelledMolecule> first_of_each(const std::vector<LabelledMolecule>& molecules,
                                            DuplicateCriterion same);

/// The remaining record has the mean of the labels (DrugOOD's step 3).
std::vector<LabelledMolecule> mean_of_each(const std::vector<LabelledMolecule>& molecules,
                                           DuplicateCriterion same);

}  // namespace molgauge::datasets
