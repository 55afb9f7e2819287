#pragma once

#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/domain/domain_work.h"
#include "molecules/verbs/domain/judged_candidates.h"

/// The third step of `molgauge domain`: files and report.
namespace molgauge::verbs {

/// Returns the report of a fitted domain without candidates. The report lacks failures and phases.
DomainReport training_report(const DomainWork& work, const domain::SavedDomain& fitted,
                             const domain::Levels& levels);

/// Writes the CSV, the JSON and the page of a request, and removes the unfinished results of `judged`. The
/// report lacks failures and phases.
DomainReport write_domain(const DomainWork& work, const domain::SavedDomain& fitted,
                          const domain::Levels& levels, JudgedCandidates& judged);

}  // namespace molgauge::verbs
