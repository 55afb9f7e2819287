// `headroom split`.

#include "data/datasets/make_benchmark.h"
#include "encoding/session/molecule_input.h"
#include "verbs/verbs.h"

namespace headroom::verbs {

SplitReport split(const SplitRequest& request) { return datasets::make_benchmark(request); }

}  // namespace headroom::verbs
