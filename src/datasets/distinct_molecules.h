#pragma once

#include <vector>

#include "datasets/labelled_molecules.h"

/// One molecule per distinct text, in order of first appearance, with the domain of the first.
namespace headroom::datasets {

/// With the label of the first.
std::vector<LabelledMolecule> first_of_each_text(const std::vector<LabelledMolecule>& molecules);

/// With the mean of the labels (DrugOOD's step 3).
std::vector<LabelledMolecule> mean_of_each_text(const std::vector<LabelledMolecule>& molecules);

}  // namespace headroom::datasets
