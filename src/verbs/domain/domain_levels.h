#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "headroom/domain.h"
#include "models/domain/judge.h"
#include "models/domain/saved_domain.h"

/// The levels of a request, and sentences about false alarms and small training sets.
namespace headroom::session {

/// Throws UsageError if the level of `borderline` is below the level of `outside`.
domain::Levels levels_of(const DomainRequest& request, const domain::SavedDomain& saved);

/// Returns a warning if `left_out` training molecules are too few for the level of `outside`. Then no
/// candidate can be outside, or p-values as small as the level are extrapolated. The warning starts with a
/// lower-case letter and ends with a full stop.
std::optional<std::string> small_training_warning(std::size_t left_out, const domain::Levels& levels);

/// Sentences for the terminal, domain.json and the page. They are about the expected number of false alarms
/// among `readable` candidates, about a small training set, and about few or unequal scaffolds.
std::vector<std::string> domain_notices(const domain::SavedDomain& saved, const domain::Levels& levels,
                                        std::size_t readable);

/// Returns the notice for `candidates` radicals and mixtures.
std::string remark_notice(std::size_t candidates);

}  // namespace headroom::session
