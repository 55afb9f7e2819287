#pragma once

#include <new>
#include <string>

#include "core/error.h"
#include "memory/measure/tensor_memory.h"

namespace headroom::session {

inline constexpr const char* kMoreMemory =
    "; allow more with --memory-budget, or let fewer programs run beside it";

/// Runs a verb. Reports memory that ran out in work that cannot be made smaller as an error of the budget.
template <typename Verb>
auto within_memory(const Verb& verb) {
  try {
    return verb();
  } catch (const memory::OutOfTensorMemory& refusal) {
    throw Error(std::string(refusal.what()) + kMoreMemory, ExitCode::over_budget);
  } catch (const std::bad_alloc&) {
    throw Error(std::string("the machine has no memory left") + kMoreMemory, ExitCode::over_budget);
  }
}

}  // namespace headroom::session
