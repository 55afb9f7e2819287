#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::report {

/// detailed_predictions.csv: the test molecules of a run and their scores; larger: further out.
struct Predictions {
  std::vector<float> id_scores, ood_scores;
  std::vector<std::string> id_smiles, ood_smiles;  ///< one a score; empty where the file has no such column

  bool has_molecules() const { return !id_smiles.empty() && !ood_smiles.empty(); }
};

/// Throws InputError naming file and line on a missing column, a label other than 0 and 1, and a score that
/// is not a finite number; and when a side is empty.
Predictions read_predictions(const std::filesystem::path& path);

}  // namespace headroom::report
