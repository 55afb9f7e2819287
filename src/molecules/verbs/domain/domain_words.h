#pragma once

#include <string>
#include <vector>

#include "molecules/judging/candidate.h"
#include "molecules/judging/judge.h"

namespace molgauge::verbs {

/// Returns the value of the column domain_reason: why a record is unreadable, or the criteria behind a
/// verdict other than `inside`. Otherwise empty.
std::string domain_reason(const domain::Candidate& candidate, const domain::Judgement& judgement);

/// Describes the match with a training molecule. Empty without a match.
std::string match_words(const domain::TrainingMatch& match, const domain::TrainingNotes& training);

/// Describes the match with a training molecule and the unfamiliar parts of a candidate. Each text becomes a
/// line of the page or of a CSV cell.
std::vector<std::string> foreign_words(const domain::Candidate& candidate,
                                       const domain::TrainingNotes& training);

}  // namespace molgauge::verbs
