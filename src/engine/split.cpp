// `headroom split`.

#include "datasets/make_benchmark.h"
#include "engine/verbs.h"
#include "session/encoding/molecule_input.h"

namespace headroom::verbs {

SplitReport split(const SplitRequest& request) { return datasets::make_benchmark(request); }

}  // namespace headroom::verbs
