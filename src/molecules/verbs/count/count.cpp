#include "base/options/report_fields.h"
#include "base/options/verb.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

CountReport count(const CountRequest& request) {
  CountReport report;
  const auto source = session::molecules_of(request.molecules, request.smiles_column);
  while (source()) {
    ++report.records;
  }
  return report;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(CountReport, records)

template <>
verbs::Verb verbs::verb<CountRequest>() {
  return row<CountRequest>("count", count);
}

}  // namespace molgauge
