#pragma once

#include <string>

#include <c10/util/Exception.h>

#include "base/core/error.h"
#include "base/numerics/torch/matrix_buffers.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "base/runtime/budget_scope.h"
#include "base/runtime/out_of_memory.h"

namespace molgauge::runtime {

/// Runs a function that uses LibTorch. If memory runs out in work that cannot be divided, throws Error with
/// exit code 4 (over_budget).
template <typename Function>
auto within_tensor_memory(const Function& function) {
  try {
    return with_budget_errors(function);
  } catch (const c10::OutOfMemoryError& refusal) {
    const std::string text = refusal.what();
    throw Error(text.substr(0, text.find('\n')) + kMoreMemory, ExitCode::over_budget);
  }
}

/// Runs a verb of libmolgauge_torch.so.
template <typename Request, typename Verb>
auto run_with_torch(const Request& request, const Verb& verb) {
  torch::reserve_matrix_buffers(threads_of(request.compute));
  return within_tensor_memory(verb);
}

}  // namespace molgauge::runtime
