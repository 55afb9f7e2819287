#pragma once

#include <cstdint>

/// Steps: functions of a number, of which a GPU's thread does one and no two write to the same place. They
/// are compiled for the host as well, where tests run them.
namespace headroom::torch::cuda {

/// Runs step(0) to step(count - 1) on the current GPU, in a stream of CUDA's. Returns at once with CUDA's
/// error code, 0 for success. Defined in launch_steps.cuh, for the steps of the files that include it.
template <typename Step>
int launch(const Step& step, std::int64_t count, void* stream);

}  // namespace headroom::torch::cuda
