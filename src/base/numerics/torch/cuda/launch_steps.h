#pragma once

#include <cstdint>

/// Steps are functions of an index. A GPU thread executes one step, or several steps if there are very many.
/// No two steps write to the same place. Steps also compile for the host, where tests run them.
namespace molgauge::torch::cuda {

/// Runs step(0) to step(count - 1) on the current GPU in a CUDA stream. Returns immediately with the error
/// code of CUDA, or 0 for success. launch_steps.cuh defines this function for the steps in files that include
/// it.
template <typename Step>
int launch(const Step& step, std::int64_t count, void* stream);

}  // namespace molgauge::torch::cuda
