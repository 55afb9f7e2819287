// `headroom split`.

#include "datasets/make_benchmark.h"
#include "engine/molecule_input.h"
#include "engine/verbs.h"

namespace headroom::verbs {

SplitReport split(const SplitRequest& request) {
  require_other_file(request.molecules, request.out);
  return datasets::make_benchmark(request);
}

}  // namespace headroom::verbs
