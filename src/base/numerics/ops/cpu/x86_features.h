#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace molgauge::ops::cpu {

// A loop that is compiled with -march=x86-64-v3 or -v4 may use every CPU feature that the option includes
// (x86-64 psABI, table 3.1). A virtual machine may hide some of these features, so each of them is checked.

/// The CPUID registers that report the features.
struct X86Features {
  std::uint32_t leaf_1_ecx = 0;
  std::uint32_t leaf_7_ebx = 0;
  std::uint32_t leaf_80000001_ecx = 0;
};

struct X86Feature {
  std::string_view name;
  std::uint32_t X86Features::*reg;
  unsigned bit;

  constexpr bool is_in(const X86Features& features) const { return (features.*reg >> bit & 1U) != 0; }
};

inline constexpr std::array kFeaturesOfV3 = {
    X86Feature{"sse3", &X86Features::leaf_1_ecx, 0},
    X86Feature{"ssse3", &X86Features::leaf_1_ecx, 9},
    X86Feature{"fma", &X86Features::leaf_1_ecx, 12},
    X86Feature{"cx16", &X86Features::leaf_1_ecx, 13},
    X86Feature{"sse4.1", &X86Features::leaf_1_ecx, 19},
    X86Feature{"sse4.2", &X86Features::leaf_1_ecx, 20},
    X86Feature{"movbe", &X86Features::leaf_1_ecx, 22},
    X86Feature{"popcnt", &X86Features::leaf_1_ecx, 23},
    X86Feature{"osxsave", &X86Features::leaf_1_ecx, 27},
    X86Feature{"avx", &X86Features::leaf_1_ecx, 28},
    X86Feature{"f16c", &X86Features::leaf_1_ecx, 29},
    X86Feature{"bmi", &X86Features::leaf_7_ebx, 3},
    X86Feature{"avx2", &X86Features::leaf_7_ebx, 5},
    X86Feature{"bmi2", &X86Features::leaf_7_ebx, 8},
    X86Feature{"lahf", &X86Features::leaf_80000001_ecx, 0},
    X86Feature{"lzcnt", &X86Features::leaf_80000001_ecx, 5},
};

/// The features that v4 has in addition to v3.
inline constexpr std::array kFeaturesOfV4 = {
    X86Feature{"avx512f", &X86Features::leaf_7_ebx, 16},
    X86Feature{"avx512dq", &X86Features::leaf_7_ebx, 17},
    X86Feature{"avx512cd", &X86Features::leaf_7_ebx, 28},
    X86Feature{"avx512bw", &X86Features::leaf_7_ebx, 30},
    X86Feature{"avx512vl", &X86Features::leaf_7_ebx, 31},
};

constexpr bool has_v3(const X86Features& features) {
  for (const X86Feature& feature : kFeaturesOfV3) {
    if (!feature.is_in(features)) {
      return false;
    }
  }
  return true;
}

constexpr bool has_v4(const X86Features& features) {
  for (const X86Feature& feature : kFeaturesOfV4) {
    if (!feature.is_in(features)) {
      return false;
    }
  }
  return has_v3(features);
}

}  // namespace molgauge::ops::cpu
