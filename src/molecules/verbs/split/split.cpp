// `molgauge split`.

#include "base/options/report_fields.h"
#include "base/options/verb.h"
#include "molecules/datasets/make_benchmark.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

SplitReport split(const SplitRequest& request) { return datasets::make_benchmark(request); }

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(SplitReport, rows, domains, duplicates, respelled, unlabelled, filtered, bondless,
                       acyclic, part_sizes, failed)

template <>
verbs::Verb verbs::verb<SplitRequest>() {
  return row<SplitRequest>("split", split);
}

}  // namespace molgauge
