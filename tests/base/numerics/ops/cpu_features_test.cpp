#include <bit>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/cpu/packed_layer.h"
#include "base/numerics/ops/cpu/x86_features.h"

namespace molgauge::ops::cpu {
namespace {

X86Features everything() { return {~0U, ~0U, ~0U}; }

X86Features without(const X86Feature& feature) {
  X86Features features = everything();
  features.*feature.reg &= ~(1U << feature.bit);
  return features;
}

TEST(X86Features, EachOneIsNeededByTheLoopsThatMayUseIt) {
  EXPECT_TRUE(has_v4(everything()));
  for (const X86Feature& feature : kFeaturesOfV3) {
    EXPECT_FALSE(has_v3(without(feature))) << feature.name;
    EXPECT_FALSE(has_v4(without(feature))) << feature.name;
  }
  for (const X86Feature& feature : kFeaturesOfV4) {
    EXPECT_TRUE(has_v3(without(feature))) << feature.name;
    EXPECT_FALSE(has_v4(without(feature))) << feature.name;
  }
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
/// Compares the feature bits in our table with the answers of the compiler for the same feature names.
TEST(X86Features, AreThoseThatTheCompilerKnows) {
  const bool supported = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                         __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt") &&
                         __builtin_cpu_supports("movbe") && __builtin_cpu_supports("f16c");
  EXPECT_EQ(is_supported(InstructionLevel::avx2), supported);
  EXPECT_EQ(is_supported(InstructionLevel::avx512),
            supported && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl"));
}
#endif

TEST(PackedLayer, RefusesWeightsThatAreNotFiniteInRoundedPrecisions) {
  const std::vector<float> bias(3, 0.0F);
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> weight = {1, 2, wrong, 4, 5, 6};
    const PlainLayer layer{.in = 2,
                           .out = 3,
                           .weight = weight.data(),
                           .bias = bias.data(),
                           .norm_weight = nullptr,
                           .norm_bias = nullptr,
                           .activation = Activation::none};
    EXPECT_THROW(PackedLayer(layer, Precision::int8, kernels()), InputError);
    EXPECT_THROW(PackedLayer(layer, Precision::bf16, kernels()), InputError);
    EXPECT_NO_THROW(PackedLayer(layer, Precision::fp32, kernels()));
  }
}

TEST(PackedLayer, MayHaveNoInputs) {
  const std::vector<float> bias = {1, 2, 3}, nothing = {};
  const PlainLayer layer{.in = 0,
                         .out = 3,
                         .weight = nothing.data(),
                         .bias = bias.data(),
                         .norm_weight = nullptr,
                         .norm_bias = nullptr,
                         .activation = Activation::none};
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
    EXPECT_NO_THROW(PackedLayer(layer, precision, kernels()));
  }
}

}  // namespace
}  // namespace molgauge::ops::cpu
