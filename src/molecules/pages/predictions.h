#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace molgauge::report {

/// The content of detailed_predictions.csv: the test molecules of a run and their scores. A higher score
/// means further out of distribution.
struct Predictions {
  std::vector<float> id_scores, ood_scores;
  std::vector<std::string> id_smiles, ood_smiles;  ///< a SMILES for each score
};

/// Reads the file. Throws InputError with file and line for a missing column, a label other than 0 and 1, a
/// score that is not finite, and a file without ID or without OOD molecules.
Predictions read_predictions(const std::filesystem::path& path);

}  // namespace molgauge::report
