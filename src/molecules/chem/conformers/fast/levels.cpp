#include <cstdlib>
#include <string_view>

#include "molecules/chem/conformers/fast/kernels.h"

namespace molgauge::chem::fast {

// The kernels in levels/ are defined once for each vector width.
namespace generic {
extern const Kernels kKernels;
}
#if defined(MOLGAUGE_X86_LEVELS)
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
#endif

bool is_supported(VectorLevel level) {
#if defined(MOLGAUGE_X86_LEVELS)
  if (level == VectorLevel::avx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           is_supported(VectorLevel::avx2);
  }
  if (level == VectorLevel::avx2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
#endif
  return level == VectorLevel::generic;
}

const Kernels& kernels_of(VectorLevel level) {
#if defined(MOLGAUGE_X86_LEVELS)
  if (level == VectorLevel::avx512) {
    return avx512::kKernels;
  }
  if (level == VectorLevel::avx2) {
    return avx2::kKernels;
  }
#endif
  static_cast<void>(level);
  return generic::kKernels;
}

namespace {

/// The widest supported level that is not above the level of $MOLGAUGE_CPU_LEVEL. The words of the variable
/// are in numerics/ops/cpu/instruction_level.h. The main program refuses unknown words.
VectorLevel choose() {
  const char* const wanted = std::getenv("MOLGAUGE_CPU_LEVEL");
  const std::string_view word = wanted == nullptr ? "" : wanted;
  if (word != "generic" && !word.starts_with("avx2") && is_supported(VectorLevel::avx512)) {
    return VectorLevel::avx512;
  }
  return word != "generic" && is_supported(VectorLevel::avx2) ? VectorLevel::avx2 : VectorLevel::generic;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels& chosen = kernels_of(choose());
  return chosen;
}

}  // namespace molgauge::chem::fast
