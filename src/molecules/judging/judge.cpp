#include "molecules/judging/judge.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "molecules/chem/description.h"
#include "molecules/chem/perception.h"
#include "molecules/judging/conformal.h"
#include "molecules/judging/held_out_distribution.h"

namespace molgauge::domain {

Judge::Judge(const SavedDomain& saved, std::size_t threads)
    : saved_(saved),
      threads_(threads),
      matcher_(saved.notes),
      map_(ops::principal_map(saved.domain->training().features, saved.domain->training().width, threads)) {}

std::vector<Candidate> Judge::judge(const std::vector<JudgedRecord>& records) const {
  std::vector<Candidate> candidates(records.size());
  std::vector<std::optional<chem::Description>> descriptions(records.size());
  parallel_for(records.size(), threads_, [&](std::size_t i) {
    throw_if_cancelled();
    try {
      if (records[i].unreadable.empty()) {
        descriptions[i] = chem::describe(records[i].record, saved_.standardize);
      } else {
        candidates[i].unreadable = records[i].unreadable;
      }
    } catch (const chem::InvalidMolecule& problem) {
      candidates[i].unreadable = problem.what();
    }
  });

  Molecules molecules;
  molecules.width = saved_.domain->training().width;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (descriptions[i]) {
      places.push_back(i);
      molecules.features.insert(molecules.features.end(), records[i].features.begin(),
                                records[i].features.end());
      molecules.environments.append(descriptions[i]->environments);
      molecules.properties.push_back(properties_of(*descriptions[i]));
    }
  }
  const std::vector<ScoredMolecule> scored = saved_.domain->score(molecules);
  std::vector<Opinion> opinions(molecules.size());
  if (saved_.opinion != nullptr) {
    std::vector<std::string> smiles;
    for (const std::size_t i : places) {
      smiles.push_back(descriptions[i]->canonical_smiles);
    }
    opinions = saved_.opinion->of(molecules, smiles, threads_);
  }
  const EnvironmentLists& training = saved_.domain->training().environments;
  parallel_for(places.size(), threads_, [&](std::size_t j) {
    throw_if_cancelled();
    Candidate& candidate = candidates[places[j]];
    const chem::Description& description = *descriptions[places[j]];
    candidate.smiles = description.drawn_smiles;
    candidate.standardized = description.canonical_smiles;
    candidate.scaffold = description.scaffold;
    candidate.match = matcher_.find(description);
    candidate.equals_training = candidate.match.is_same();
    candidate.score = scored[j].score;
    candidate.range = scored[j].property.value;
    candidate.range_words =
        saved_.domain->reference().ranges().words(molecules.properties[j], scored[j].property);
    candidate.opinion = opinions[j];
    candidate.nearest = scored[j].nearest;
    candidate.nearest_count = scored[j].nearest_count;
    for (std::size_t i = 0; i < candidate.nearest_count; ++i) {
      candidate.tanimoto[i] = static_cast<float>(
          tanimoto(molecules.environments.of(j), training.of(candidate.nearest[i].molecule)));
    }
    const auto at = map_.place(molecules.row(j));
    candidate.place = {static_cast<float>(at[0]), static_cast<float>(at[1])};
    candidate.foreign = saved_.notes.known.foreign(description);
    candidate.remarks = description.remarks;
  });
  return candidates;
}

ListedScore listed_score(const Candidate& candidate) {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN(),
                  kNearest = -std::numeric_limits<float>::infinity();
  return !candidate.unreadable.empty() ? ListedScore{kNone, kNone}
         : candidate.equals_training   ? ListedScore{kNearest, kNearest}
                                       : ListedScore{candidate.score, candidate.range};
}

std::vector<Judgement> judge_list(const std::vector<ListedScore>& scores, const Calibration& calibration,
                                  const Levels& levels) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto distribution = [](const std::vector<float>& numbers) {
    return numbers.empty() ? std::nullopt : std::optional<HeldOutDistribution>(numbers);
  };
  const HeldOutDistribution left_out(calibration.left_out);
  const auto scaffold = distribution(calibration.scaffold), range = distribution(calibration.range);
  const RangeLevels range_levels(levels);
  const auto verdict_of = [](double p, double outside, double borderline) {
    return p <= outside ? Verdict::outside : p <= borderline ? Verdict::borderline : Verdict::inside;
  };
  std::vector<Judgement> judgements(scores.size());
  std::vector<double> p_values(scores.size(), kNone);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Judgement& own = judgements[i];
    own.p_value = own.p_scaffold = own.p_range = kNone;
    if (std::isnan(scores[i].distance)) {
      continue;
    }
    own.p_value = p_values[i] = left_out.p_value(scores[i].distance);
    own.p_scaffold = scaffold ? scaffold->p_value(scores[i].distance) : kNone;
    own.p_range = range ? range->p_value(scores[i].range) : kNone;
    const Verdict by_distance = verdict_of(own.p_value, levels.outside, levels.borderline),
                  by_range = verdict_of(own.p_range, range_levels.outside, range_levels.borderline);
    own.verdict = std::max(by_distance, by_range);
    own.is_by_distance = own.verdict != Verdict::inside && by_distance == own.verdict;
    own.is_by_range = own.verdict != Verdict::inside && by_range == own.verdict;
  }
  const std::vector<double> q_values = benjamini_hochberg(p_values);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    judgements[i].q_value = q_values[i];
  }
  return judgements;
}

}  // namespace molgauge::domain
