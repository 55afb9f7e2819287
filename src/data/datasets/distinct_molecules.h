#pragma once

#include <vector>

#include "data/datasets/labelled_molecules.h"

/// The rule by which records are duplicates: equal texts, or the same molecule in any spelling. One record
/// remains for each, in order of first appearance, with the text, domain and assay of the first record.
namespace headroom::datasets {

enum class DuplicateCriterion { text, molecule };

/// Keeps the labels of the first record.
std::vector<LabelledMolecule> first_of_each(const std::vector<LabelledMolecule>& molecules,
                                            DuplicateCriterion same);

/// Takes the mean of the labels (DrugOOD's step 3).
std::vector<LabelledMolecule> mean_of_each(const std::vector<LabelledMolecule>& molecules,
                                           DuplicateCriterion same);

}  // namespace headroom::datasets
