#include "molecules/judging/predictions/calibration_places.h"

#include <unordered_map>

#include "molecules/judging/predictions/scaffold_clusters.h"

namespace molgauge::domain {
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
  std::vector<PlacedMolecule> placed(molecules.size());
  Molecules others;
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> places_of_others, places_of_members;
  for (std::size_t i = 0; i < molecules.size(); ++i) {
    const auto known = training.find(canonical_smiles[i]);
    placed[i].in_training = known != training.end();
    placed[i].place.new_scaffold =
        placed[i].in_training || !saved.notes.known.scaffolds.contains(scaffolds[i]);
    if (placed[i].in_training) {
      members.push_back(static_cast<std::uint32_t>(known->second));
      places_of_members.push_back(i);
    } else {
      others.append(molecules, i);
      places_of_others.push_back(i);
    }
  }
  std::vector<ListedScore> scores(molecules.size());
  const auto take = [&](const std::vector<ScoredMolecule>& scored, const std::vector<std::size_t>& places) {
    for (std::size_t i = 0; i < scored.size(); ++i) {
      scores[places[i]] = {scored[i].score, scored[i].property.value};
    }
  };
  if (!members.empty()) {
    take(domain.reference().score_left_out(members, GroupLabels(fold_of.begin(), fold_of.end())),
         places_of_members);
  }
  if (!places_of_others.empty()) {
    take(domain.score(others), places_of_others);
  }
  const std::vector<Judgement> judgements = judge_list(scores, domain.calibration(), levels);
  if (saved.opinion != nullptr) {
    const std::vector<Opinion> opinions = saved.opinion->of(molecules, canonical_smiles, threads);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      placed[i].place.opinion = opinions[i];
    }
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    placed[i].place.distance = scores[i].distance;
    placed[i].place.verdict = static_cast<std::size_t>(judgements[i].verdict);
  }
  return placed;
}

}  // namespace molgauge::domain
