#pragma once

#include <string>
#include <vector>

#include "ops/cpu/kernels.h"

namespace headroom::ops::cpu {

/// The instruction sets that the kernels are compiled for, each with more than the one before.
enum class InstructionLevel {
  generic,      ///< what every CPU has that this program runs on (x86-64: SSE2)
  avx2,         ///< AVX2 and FMA
  avx512,       ///< AVX-512 F, BW, DQ, VL
  avx512_vnni,  ///< and VNNI: the products of four bytes summed in one instruction
  amx,          ///< and AMX: products of matrices of bytes and of bfloat16
};

const char* to_string(InstructionLevel level);

/// All levels compiled into this program, in ascending order.
std::vector<InstructionLevel> compiled_levels();
/// Whether this CPU, and its operating system, can run the level.
bool is_supported(InstructionLevel level);

/// The level in use: the highest that is supported, or the one that $HEADROOM_CPU_LEVEL names, decided at the
/// first call. Throws UsageError when that is no level or this CPU lacks it.
InstructionLevel chosen_level();

/// Kernels of the chosen level, and of any compiled one.
const Kernels& kernels();
const Kernels& kernels_of(InstructionLevel level);

}  // namespace headroom::ops::cpu
