#pragma once

#include <string>
#include <vector>

namespace molgauge::runtime {

/// Facts from /proc/cpuinfo about the first processor.
struct Processor {
  std::string model;
  std::vector<std::string>
      instruction_sets;  ///< instruction sets that matter for tensors: avx2, fma, avx512f, amx_bf16, ...
};

Processor this_processor();

}  // namespace molgauge::runtime
