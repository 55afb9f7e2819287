#include "molecules/judging/predictions/scaffold_clusters.h"

#include <map>
#include <string_view>
#include <unordered_set>

#include "molecules/judging/scaffold_folds.h"

namespace molgauge::domain {
namespace {

struct TextsOfMolecules {
  std::vector<std::string> scaffolds, smiles;
};

/// A molecule without SMILES gets its index as a name.
TextsOfMolecules texts_of(const std::vector<CalibrationMolecule>& molecules) {
  TextsOfMolecules texts;
  for (const CalibrationMolecule& own : molecules) {
    texts.smiles.push_back(own.smiles.empty() ? std::to_string(texts.smiles.size()) : own.smiles);
    texts.scaffolds.push_back(own.scaffold);
  }
  return texts;
}

}  // namespace

std::vector<std::string> scaffold_clusters(const std::vector<std::string>& scaffolds,
                                           const std::vector<std::string>& smiles) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string& scaffold : scaffolds) {
    ++counts[scaffold];
  }
  std::vector<std::string> clusters;
  clusters.reserve(scaffolds.size());
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    const bool is_split = counts[scaffolds[i]] * kFoldsOfPredictions > scaffolds.size();
    clusters.push_back(is_split ? scaffolds[i] + " " + smiles[i] : scaffolds[i]);
  }
  return clusters;
}

std::vector<std::size_t> folds_of_predictions(const std::vector<std::string>& scaffolds,
                                              const std::vector<std::string>& smiles) {
  return scaffold_folds(scaffold_clusters(scaffolds, smiles), kFoldsOfPredictions);
}

std::vector<std::size_t> folds_of_predictions(const std::vector<CalibrationMolecule>& molecules) {
  const auto [scaffolds, smiles] = texts_of(molecules);
  return folds_of_predictions(scaffolds, smiles);
}

bool suffice_for_folds(const std::vector<CalibrationMolecule>& molecules, std::size_t fewest) {
  const auto [scaffolds, smiles] = texts_of(molecules);
  return molecules.size() >= fewest &&
         distinct_count(scaffold_clusters(scaffolds, smiles)) >= kFoldsOfPredictions;
}

std::vector<std::size_t> whole_scaffold_folds(const std::vector<std::string>& scaffolds) {
  return scaffold_folds(scaffolds, kFoldsOfPredictions);
}

std::size_t distinct_count(const std::vector<std::string>& texts) {
  return std::unordered_set<std::string_view>(texts.begin(), texts.end()).size();
}

}  // namespace molgauge::domain
