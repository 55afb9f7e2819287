#include "chem/conformers/fast/kernels.h"
#include "numerics/ops/cpu/instruction_level.h"

namespace headroom::chem::fast {

// The kernels in levels/ are defined once for each vector width.
namespace generic {
extern const Kernels kKernels;
}
#if defined(HEADROOM_X86_LEVELS)
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
#endif

const Kernels& kernels_for(ops::cpu::InstructionLevel level) {
  switch (level) {
#if defined(HEADROOM_X86_LEVELS)
    case ops::cpu::InstructionLevel::avx2:
    case ops::cpu::InstructionLevel::avx2_vnni:
      return avx2::kKernels;
    case ops::cpu::InstructionLevel::avx512:
    case ops::cpu::InstructionLevel::avx512_vnni:
    case ops::cpu::InstructionLevel::avx512_bf16:
    case ops::cpu::InstructionLevel::amx:
      return avx512::kKernels;
#endif
    default:
      return generic::kKernels;
  }
}

const Kernels& kernels() {
  static const Kernels& chosen = kernels_for(ops::cpu::chosen_level());
  return chosen;
}

}  // namespace headroom::chem::fast
