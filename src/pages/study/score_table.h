#pragma once

#include <string>
#include <vector>

#include "headroom/evaluate.h"

namespace headroom::report {

/// The results of `headroom score` as text: the columns of the input, then energy_score (for a baseline
/// METHOD_score); for a run over several seeds energy_deviation and disagreement; ood_prediction, and
/// resembles_training_ood if the run has one. For a saved domain: domain_distance, domain_p_value,
/// in_training and ood_prediction, and the columns on predictions if there are any. An added column with the
/// name of an input column is called NAME_2. Missing numbers are empty cells.
std::vector<std::string> score_header(const ScoreReport& report);

/// The name, or NAME_2 and so on where the name is taken.
std::string free_column_name(const std::vector<std::string>& taken, const std::string& name);

/// For programs: numbers with all their digits.
std::vector<std::string> score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

/// For people: a table's line and SMILES instead of all its columns, no data fields of an .sdf, four digits,
/// "failed" for a molecule without a score, no resembles_training_ood.
std::vector<std::string> short_score_header(const ScoreReport& report);
std::vector<std::string> short_score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

}  // namespace headroom::report
