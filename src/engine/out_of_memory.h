#pragma once

#include <new>
#include <string>

#include <c10/util/Exception.h>

#include "core/error.h"

namespace headroom::verbs {

/// Runs a verb. Memory that ran out where nothing can be made smaller is an error of the budget.
template <typename Verb>
auto within_memory(const Verb& verb) {
  const std::string fix = "; allow more with --memory-budget, or let fewer programs run beside it";
  try {
    return verb();
  } catch (const c10::OutOfMemoryError& refusal) {
    const std::string text = refusal.what();
    throw Error(text.substr(0, text.find('\n')) + fix, ExitCode::over_budget);
  } catch (const std::bad_alloc&) {
    throw Error("the machine has no memory left" + fix, ExitCode::over_budget);
  }
}

}  // namespace headroom::verbs
