#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "ops/cpu/instruction_level.h"

namespace headroom::ops::cpu {

/// A test that runs once for every level compiled in; those that this CPU lacks are skipped, saying so.
class EveryLevel : public ::testing::TestWithParam<InstructionLevel> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this CPU lacks the level " << to_string(GetParam());
    }
  }
  const Kernels& kernels() const { return kernels_of(GetParam()); }
};

inline std::string level_name(const ::testing::TestParamInfo<InstructionLevel>& info) {
  std::string name = to_string(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace headroom::ops::cpu
