#include "molecules/verbs/domain/domain_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace molgauge::verbs {

std::string domain_reason(const domain::Candidate& candidate, const domain::Judgement& judgement) {
  if (!candidate.unreadable.empty()) {
    return candidate.unreadable;
  }
  std::vector<std::string> reasons;
  if (judgement.is_by_distance) {
    reasons.push_back(fmt::format("far from the training set (p = {:.2g})", judgement.p_value));
  }
  if (judgement.is_by_range) {
    reasons.push_back(candidate.range_words);
  }
  reasons.insert(reasons.end(), candidate.remarks.begin(), candidate.remarks.end());
  return fmt::format("{}", fmt::join(reasons, "; "));
}

std::string match_words(const domain::TrainingMatch& match, const domain::TrainingNotes& training) {
  if (match.kind == MatchKind::none) {
    return "";
  }
  const std::string& name = training.names[match.molecule];
  switch (match.kind) {
    case MatchKind::same_parent:
      return fmt::format("is the training molecule {}, drawn differently", name);
    case MatchKind::tautomer:
      return fmt::format("is a tautomer of the training molecule {}", name);
    case MatchKind::stereoisomer:
      return fmt::format("is the training molecule {} except for the stereochemistry", name);
    default:
      return "is a training molecule";
  }
}

std::vector<std::string> foreign_words(const domain::Candidate& candidate,
                                       const domain::TrainingNotes& training) {
  if (!candidate.unreadable.empty()) {
    return {candidate.unreadable};
  }
  const domain::ForeignParts& foreign = candidate.foreign;
  std::vector<std::string> words;
  if (std::string match = match_words(candidate.match, training); !match.empty()) {
    words.push_back(std::move(match));
  }
  if (!foreign.elements.empty()) {
    words.push_back(fmt::format("new elements: {}", fmt::join(foreign.elements, ", ")));
  }
  if (!foreign.rings.empty()) {
    words.push_back(fmt::format("new rings: {}", fmt::join(foreign.rings, ", ")));
  }
  if (!foreign.atoms.empty()) {
    words.push_back(
        fmt::format("{} with new neighbours",
                    foreign.atoms.size() == 1 ? "1 atom" : fmt::format("{} atoms", foreign.atoms.size())));
  }
  for (const std::string& text : {foreign.size, foreign.log_p, foreign.charge}) {
    if (!text.empty()) {
      words.push_back(text);
    }
  }
  if (!foreign.scaffold_seen) {
    words.emplace_back("new scaffold");
  }
  return words;
}

}  // namespace molgauge::verbs
