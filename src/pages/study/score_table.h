#pragma once

#include <string>
#include <vector>

#include "headroom/evaluate.h"

namespace headroom::report {

/// The results of `headroom score` as text. After the columns of the input comes energy_score (for a baseline
/// METHOD_score). A run over several seeds adds energy_deviation and disagreement. Then come ood_prediction
/// and, if the run has it, resembles_training_ood. For a saved domain the columns are domain_distance,
/// domain_p_value, in_training, ood_prediction and the columns about predictions, if there are any. If an
/// added column has the name of an input column, it is called NAME_2. Missing numbers are empty cells.
std::vector<std::string> score_header(const ScoreReport& report);

/// Returns the name or, if it is taken, NAME_2 and so on.
std::string free_column_name(const std::vector<std::string>& taken, const std::string& name);

/// Returns the cells for programs. Numbers have all digits.
std::vector<std::string> score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

/// These functions return a table for people. Numbers have four digits, and a molecule without a score is
/// "failed". Of the columns of a table, only the line and the SMILES are shown. The data fields of an .sdf
/// and the column resembles_training_ood are left out.
std::vector<std::string> short_score_header(const ScoreReport& report);
std::vector<std::string> short_score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

}  // namespace headroom::report
