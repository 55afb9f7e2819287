#pragma once

#include <vector>

#include "data/datasets/labelled_molecules.h"

/// One molecule for each distinct text, or for each molecule in any spelling, in order of first appearance;
/// text, domain and assay are those of the first.
namespace headroom::datasets {

enum class DuplicateCriterion { text, molecule };

/// Keeps the labels of the first.
std::vector<LabelledMolecule> first_of_each(const std::vector<LabelledMolecule>& molecules,
                                            DuplicateCriterion same);

/// Takes the mean of the labels (DrugOOD's step 3).
std::vector<LabelledMolecule> mean_of_each(const std::vector<LabelledMolecule>& molecules,
                                           DuplicateCriterion same);

}  // namespace headroom::datasets
