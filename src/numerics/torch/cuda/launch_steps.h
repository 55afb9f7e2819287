#pragma once

#include <cstdint>

/// Steps are functions of an index. Each GPU thread executes one, and no two write to the same place. Steps
/// also compile for the host, where tests run them.
namespace headroom::torch::cuda {

/// Runs step(0) to step(count - 1) on the current GPU in a CUDA stream. Returns at once with the error code
/// of CUDA, 0 for success. launch_steps.cuh defines it for the steps of the files that include it.
template <typename Step>
int launch(const Step& step, std::int64_t count, void* stream);

}  // namespace headroom::torch::cuda
