#include "models/domain/predictions/calibration_places.h"

#include <unordered_map>

#include "models/domain/predictions/scaffold_clusters.h"

namespace headroom::domain {
std::vector<PlacedMolecule> place_calibration(const SavedDomain& saved, const Molecules& molecules,
                                              const std::vector<std::string>& canonical_smiles,
                                              const std::vector<std::string>& scaffolds, const Levels& levels,
                                              std::size_t threads) {
  const CalibratedDomain& domain = *saved.domain;
  std::unordered_map<std::string, std::size_t> training;
  for (std::size_t i = 0; i < saved.notes.canonical_smiles.size(); ++i) {
    training.emplace(saved.notes.canonical_smiles[i], i);
  }
  const auto fold_of = folds_of_predictions(saved.notes.scaffolds, saved.notes.canonical_smiles);
  // The molecules to compare with the reference of each fold. The last list is for the reference of the
  // domain.
  std::vector<std::vector<std::size_t>> lists(kFoldsOfPredictions + 1);
  std::vector<PlacedMolecule> placed(molecules.size());
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const auto known = training.find(canonical_smiles[i]);
    placed[i].in_training = known != training.end();
    placed[i].place.new_scaffold =
        placed[i].in_training || !saved.notes.known.scaffolds.contains(scaffolds[i]);
    lists[placed[i].in_training ? fold_of[known->second] : kFoldsOfPredictions].push_back(i);
  }
  std::vector<float> scores(molecules.size());
  for (std::size_t list = 0; list < lists.size(); ++list) {
    if (lists[list].empty()) {
      continue;
    }
    Molecules own;
    for (const std::size_t i : lists[list]) {
      own.append(molecules, i);
    }
    std::vector<ScoredMolecule> scored;
    if (list == kFoldsOfPredictions) {
      scored = domain.score(own);
    } else {
      std::vector<bool> in_reference(fold_of.size());
      for (std::size_t i = 0; i < fold_of.size(); ++i) {
        in_reference[i] = fold_of[i] != list;
      }
      const Reference reference(
          domain.training(), in_reference,
          {saved.settings.method, saved.settings.seed, threads, /*shows_nearest=*/false},
          domain.reference().scales());
      scored = reference.score(own);
    }
    for (std::size_t i = 0; i < scored.size(); ++i) {
      scores[lists[list][i]] = scored[i].score;
    }
  }
  const std::vector<Judgement> judgements = judge_list(scores, domain.calibration(), levels);
  if (saved.opinion != nullptr) {
    const std::vector<Opinion> opinions = saved.opinion->of(molecules, canonical_smiles, threads);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      placed[i].place.opinion = opinions[i];
    }
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    placed[i].place.distance = scores[i];
    placed[i].place.verdict = static_cast<std::size_t>(judgements[i].verdict);
  }
  return placed;
}

}  // namespace headroom::domain
