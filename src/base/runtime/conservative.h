#pragma once

#include <variant>

#include "molgauge/plan_memory.h"

namespace molgauge::runtime {

/// Replaces the switch `conservative` of a request by the options that it implies: one thread, and one run at
/// a time. `conservative` also implies the smallest batches. The code that plans batches applies this part
/// (encoding_plan.h, molecules/ood/run/training_options.h).
template <typename Request>
Request apply_conservative(Request request) {
  if constexpr (requires { request.work; }) {
    std::visit([](auto& work) { work = apply_conservative(work); }, request.work);
  } else if constexpr (requires { request.compute; }) {
    if (request.compute.conservative) {
      request.compute.threads = 1;
      if constexpr (requires { request.jobs; }) {
        request.jobs = 1;
      }
    }
  } else if (request.conservative) {
    request.threads = 1;
  }
  return request;
}

}  // namespace molgauge::runtime
