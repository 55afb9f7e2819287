#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "molecules/judging/judge.h"
#include "molecules/judging/saved_domain.h"
#include "molgauge/domain.h"

/// The levels of a request, and sentences about false alarms and small training sets.
namespace molgauge::verbs {

/// Throws UsageError if the level of `borderline` is below the level of `outside`.
domain::Levels levels_of(const DomainRequest& request, const domain::SavedDomain& saved);

/// Returns a warning if `left_out` training molecules are too few for the level of `outside`. Then no
/// candidate can be outside, or p-values as small as the level are extrapolated. The warning starts with a
/// lower-case letter and ends with a full stop.
std::optional<std::string> small_training_warning(std::size_t left_out, const domain::Levels& levels);

/// Numbers of candidates in a list.
struct ListedCandidates {
  std::size_t readable = 0;
  std::size_t new_scaffolds = 0;  ///< readable candidates whose scaffold no training molecule has
};

/// Returns how many candidates are expected to be outside and borderline by chance, with the assumption of
/// each number. The first number assumes that the candidates are like the training molecules. The second
/// assumes that all of them have new scaffolds of the same chemistry, like the molecules of
/// Calibration::scaffold. The second is left out if there are no such molecules. `candidates.readable` is at
/// least 1.
std::string false_alarms(const domain::Calibration& calibration, const domain::Levels& levels,
                         const ListedCandidates& candidates);

/// Sentences for the terminal, domain.json and the page. They are about the expected number of false alarms,
/// about a small training set, and about few or unequal scaffolds.
std::vector<std::string> domain_notices(const domain::SavedDomain& saved, const domain::Levels& levels,
                                        const ListedCandidates& candidates);

/// Returns the notice for `candidates` radicals and mixtures.
std::string remark_notice(std::size_t candidates);

}  // namespace molgauge::verbs
