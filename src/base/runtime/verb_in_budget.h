#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/options/verb.h"
#include "base/runtime/conservative.h"
#include "base/runtime/out_of_memory.h"
#include "base/runtime/torch_backend.h"

/// Verbs with a memory budget, and verbs of libmolgauge_torch.so.
namespace molgauge::verbs {

/// Returns a function whose out-of-memory errors name the budget. `advice`: how to increase the budget.
template <typename Request>
Function<Request> in_budget(Function<Request> function, const char* advice = runtime::kMoreMemory) {
  return [function = std::move(function), advice](const Request& request, KeptCaches* kept) {
    return runtime::with_budget_errors([&] { return function(runtime::apply_conservative(request), kept); },
                                       advice);
  };
}

template <typename Request>
Verb budget_row(std::string name, typename Request::Report (*function)(const Request&),
                const char* advice = runtime::kMoreMemory) {
  return row<Request>(std::move(name), in_budget<Request>(without_caches<Request>(function), advice));
}

/// Makes a verb of libmolgauge_torch.so. The library itself applies with_budget_errors().
template <typename Request, typename Part>
Verb torch_row(std::string name, typename Request::Report (Part::*method)(const Request&)) {
  return row<Request>(std::move(name), [method](const Request& request, KeptCaches* /*kept*/) {
    return (runtime::torch_part<Part>().*method)(runtime::apply_conservative(request));
  });
}

template <typename Part, typename Request>
std::vector<MemoryPlan> plan_with_torch(const Request& request) {
  return runtime::torch_part<Part>().plan_memory(request);
}

}  // namespace molgauge::verbs
