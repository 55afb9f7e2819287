// `headroom split`.

#include "datasets/make_benchmark.h"
#include "engine/verbs.h"

namespace headroom::verbs {

SplitReport split(const SplitRequest& request) { return datasets::make_benchmark(request); }

}  // namespace headroom::verbs
