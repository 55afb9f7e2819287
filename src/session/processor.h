#pragma once

#include <string>
#include <vector>

namespace headroom::session {

/// What /proc/cpuinfo says of the first processor.
struct Processor {
  std::string model;
  std::vector<std::string>
      instruction_sets;  ///< of those that matter for tensors: avx2, fma, avx512f, amx_bf16, ...
};

Processor this_processor();

}  // namespace headroom::session
