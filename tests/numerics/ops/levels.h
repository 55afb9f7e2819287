#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/ops/cpu/instruction_level.h"

namespace headroom::ops::cpu {

// Emulated levels. They replace the instructions of levels that few CPUs have by plain C++, for tests on
// other CPUs (tests/numerics/ops/CMakeLists.txt).
#ifdef HEADROOM_EMULATED_LEVELS
namespace emulated_avx2_vnni {
extern const Kernels kKernels;
}
namespace emulated_avx512_vnni {
extern const Kernels kKernels;
}
namespace emulated_avx512_bf16 {
extern const Kernels kKernels;
}
namespace emulated_amx {
extern const Kernels kKernels;
}
namespace emulated_neon_bf16 {
extern const Kernels kKernels;
}
#endif

struct TestedLevel {
  std::string name;
  const Kernels* kernels;
  bool is_supported;
};

/// All compiled levels and all emulated levels. If the machine of the build is itself emulated, emulated
/// levels are left out.
inline std::vector<TestedLevel> tested_levels() {
  std::vector<TestedLevel> levels;
#ifdef HEADROOM_EMULATED_LEVELS
  levels = {{"emulated_avx2_vnni", &emulated_avx2_vnni::kKernels, true},
            {"emulated_avx512_vnni", &emulated_avx512_vnni::kKernels, true},
            {"emulated_avx512_bf16", &emulated_avx512_bf16::kKernels, true},
            {"emulated_amx", &emulated_amx::kKernels, true},
            {"emulated_neon_bf16", &emulated_neon_bf16::kKernels, true}};
#endif
  for (const InstructionLevel level : compiled_levels()) {
    levels.push_back({to_string(level), &kernels_of(level), is_supported(level)});
  }
  return levels;
}

/// A test that runs once for every level. Levels that this CPU does not support are skipped with a message.
class EveryLevel : public ::testing::TestWithParam<TestedLevel> {
 protected:
  void SetUp() override {
    if (!GetParam().is_supported) {
      GTEST_SKIP() << "this CPU lacks the level " << GetParam().name;
    }
  }
  const Kernels& kernels() const { return *GetParam().kernels; }
};

inline std::string level_name(const ::testing::TestParamInfo<TestedLevel>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace headroom::ops::cpu
