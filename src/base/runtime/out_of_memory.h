#pragma once

#include <new>
#include <string>

#include "base/core/error.h"
#include "base/memory/measure/tensor_memory.h"

namespace molgauge::runtime {

inline constexpr const char* kMoreMemory =
    ". Allow more with --memory-budget, or run fewer programs at the same time";

/// The advice for verbs without the option --memory-budget.
inline constexpr const char* kLessMemory =
    ". Let fewer programs run at the same time, or raise the limit of this process (ulimit -v)";

/// Runs a verb. If memory runs out and the verb cannot continue with less, throws Error with exit code 4 and
/// `advice`. `advice` must name only options that the verb has.
template <typename Verb>
auto with_budget_errors(const Verb& verb, const char* advice = kMoreMemory) {
  try {
    return verb();
  } catch (const memory::OutOfTensorMemory& refusal) {
    throw Error(std::string(refusal.what()) + advice, ExitCode::over_budget);
  } catch (const std::bad_alloc&) {
    throw Error(std::string("the machine has no memory left") + advice, ExitCode::over_budget);
  }
}

}  // namespace molgauge::runtime
