#pragma once

#include <string>
#include <vector>

#include "molgauge/evaluate.h"

namespace molgauge::report {

/// Returns the header of the results of `molgauge score`. The columns of the input come first. For a run, the
/// next columns are energy_score (METHOD_score for a baseline), energy_deviation and disagreement (only with
/// several seeds), ood_prediction, and resembles_training_ood if the run has it. For a saved domain, the next
/// columns are domain_distance, domain_p_value, in_training, ood_prediction, and the columns about
/// predictions if there are any. If an added column has the name of an input column, it is renamed to NAME_2.
/// Missing numbers are empty cells.
std::vector<std::string> score_header(const ScoreReport& report);

/// Returns `name`, or the first free name of NAME_2, NAME_3 and so on if `name` is taken.
std::string free_column_name(const std::vector<std::string>& taken, const std::string& name);

/// Returns the cells for programs. Numbers have all digits.
std::vector<std::string> score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

/// These functions return a table for people. Numbers have four decimal places, and a molecule without a
/// score is "failed". If the input is a table, the only columns from the input are the line and the SMILES.
/// The data fields of an .sdf file and the column resembles_training_ood are left out.
std::vector<std::string> short_score_header(const ScoreReport& report);
std::vector<std::string> short_score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

}  // namespace molgauge::report
