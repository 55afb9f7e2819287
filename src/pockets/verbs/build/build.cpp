// `molgauge pocket build`.

#include "pockets/preparation/build.h"

#include "base/options/report_fields.h"
#include "base/runtime/verb_in_budget.h"

namespace molgauge::verbs {
namespace {

PocketBuildReport build_pockets(const PocketBuildRequest& request) { return pocket::build(request); }

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(FailedPocket, complex_id, reason)
MOLGAUGE_REPORT_FIELDS(PocketBuildReport, pockets, built, taken_over, too_large, failed_pockets, failed,
                       atoms, bonds, angles, dihedrals, pairs, manifest, seconds)

template <>
verbs::Verb verbs::verb<PocketBuildRequest>() {
  return budget_row<PocketBuildRequest>("pocket_build", build_pockets, runtime::kLessMemory);
}

}  // namespace molgauge
