#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops::cpu {

// Emulated levels. In them, plain C++ replaces the instructions that few CPUs have, so tests can run on other
// CPUs (tests/base/numerics/ops/CMakeLists.txt).
#ifdef MOLGAUGE_EMULATED_LEVELS
namespace emulated_avx2_vnni {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
}  // namespace emulated_avx2_vnni
namespace emulated_avx512_vnni {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
}  // namespace emulated_avx512_vnni
namespace emulated_avx512_bf16 {
extern const LayerKernels kLayerKernels;
}
namespace emulated_amx {
extern const LayerKernels kLayerKernels;
}
namespace emulated_neon_bf16 {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
}  // namespace emulated_neon_bf16
#endif

struct TestedLevel {
  std::string name;
  Kernels kernels;
  bool is_supported;
};

/// All compiled levels and all emulated levels. If the machine of the build is itself emulated, emulated
/// levels are left out.
inline std::vector<TestedLevel> tested_levels() {
  std::vector<TestedLevel> levels;
#ifdef MOLGAUGE_EMULATED_LEVELS
  levels = {
      {"emulated_avx2_vnni", {emulated_avx2_vnni::kLayerKernels, emulated_avx2_vnni::kArrayKernels}, true},
      {"emulated_avx512_vnni",
       {emulated_avx512_vnni::kLayerKernels, emulated_avx512_vnni::kArrayKernels},
       true},
      {"emulated_avx512_bf16",
       {emulated_avx512_bf16::kLayerKernels, emulated_avx512_vnni::kArrayKernels},
       true},
      {"emulated_amx", {emulated_amx::kLayerKernels, emulated_avx512_vnni::kArrayKernels}, true},
      {"emulated_neon_bf16", {emulated_neon_bf16::kLayerKernels, emulated_neon_bf16::kArrayKernels}, true}};
#endif
  for (const InstructionLevel level : compiled_levels()) {
    levels.push_back({to_string(level), kernels_of(level), is_supported(level)});
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
  const Kernels& kernels() const { return GetParam().kernels; }
};

inline std::string level_name(const ::testing::TestParamInfo<TestedLevel>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace molgauge::ops::cpu
