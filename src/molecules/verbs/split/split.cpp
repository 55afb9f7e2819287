// `molgauge split`.

#include "molecules/datasets/make_benchmark.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

SplitReport split(const SplitRequest& request) { return datasets::make_benchmark(request); }

}  // namespace molgauge::verbs
