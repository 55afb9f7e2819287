// `molgauge split`.

#include "data/datasets/make_benchmark.h"
#include "encoding/session/molecule_input.h"
#include "verbs/verbs.h"

namespace molgauge::verbs {

SplitReport split(const SplitRequest& request) { return datasets::make_benchmark(request); }

}  // namespace molgauge::verbs
