#pragma once

#include <string>
#include <vector>

#include "headroom/evaluate.h"

namespace headroom::report {

/// What `headroom score` says of molecules, as text: the columns of the input, then energy_score (of a
/// baseline METHOD_score), of a run over several seeds energy_deviation and disagreement, ood_prediction, and
/// ood_probability where there is one; of a saved domain domain_distance, domain_p_value, in_training and
/// ood_prediction. A column whose name the input has already is called NAME_2. Cells of numbers that are not
/// there are empty.
std::vector<std::string> score_header(const ScoreReport& report);

/// The name, or NAME_2 and so on where a column is called that already.
std::string free_column_name(const std::vector<std::string>& taken, const std::string& name);

/// For programs: numbers with all their digits.
std::vector<std::string> score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

/// For people: of a table the line and the SMILES in place of all its columns, no data fields of an .sdf,
/// four digits, "failed" for a molecule without a score.
std::vector<std::string> short_score_header(const ScoreReport& report);
std::vector<std::string> short_score_cells(const ScoreReport& report, const ScoredMolecule& molecule);

}  // namespace headroom::report
