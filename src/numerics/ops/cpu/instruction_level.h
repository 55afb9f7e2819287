#pragma once

#include <string>
#include <vector>

#include "numerics/ops/cpu/kernels.h"
#include "numerics/ops/cpu/loops.h"

namespace headroom::ops::cpu {

/// The instruction sets that the kernels are written for. The levels of one architecture are in ascending
/// order of the speed of the kernels.
enum class InstructionLevel {
  generic,      ///< the base of every supported CPU (x86-64: SSE2; aarch64: NEON, by the compiler
                ///< alone)
  avx2,         ///< AVX2 and FMA
  avx2_vnni,    ///< AVX2 and AVX-VNNI: products of four bytes summed in one instruction, on 256-bit vectors
  avx512,       ///< AVX-512 F, BW, DQ, VL
  avx512_vnni,  ///< also VNNI: products of four bytes summed in one instruction, on 512-bit vectors
  avx512_bf16,  ///< also BF16: products of two bfloat16 summed in one instruction
  amx,          ///< AVX-512 VNNI and AMX: products of matrices of bytes and of bfloat16
  neon,         ///< aarch64's vectors of 128 bits
  neon_dot,     ///< also the dot products of Armv8.2: products of four bytes summed in one instruction
  neon_bf16,    ///< also BF16 of Armv8.6: products of two bfloat16 summed in one instruction
};

/// The name that $HEADROOM_CPU_LEVEL uses: "avx512-bf16".
const char* to_string(InstructionLevel level);

/// All levels compiled into this program, which are the levels of its architecture, in ascending order.
std::vector<InstructionLevel> compiled_levels();
/// Whether the level is compiled in, and this CPU and its operating system can run it.
bool is_supported(InstructionLevel level);

/// Whether a CPU that supports the level gains from it. Intel's CPUs start a vdpbf16ps every second cycle
/// only, a quarter of their rate of multiply-adds in float32 (Sapphire Rapids, docs/results/speed.md), so
/// that avx512_bf16 pays on others alone.
bool pays_off(InstructionLevel level);

/// The level in use: the highest that is supported and pays off, or the one that $HEADROOM_CPU_LEVEL names,
/// decided at the first call. Throws UsageError when that is no level or this CPU lacks it.
InstructionLevel chosen_level();

/// Kernels of the chosen level, and of any compiled one (std::logic_error where the level is not).
const Kernels& kernels();
const Kernels& kernels_of(InstructionLevel level);
/// Loops of the chosen level.
const Loops& loops();

}  // namespace headroom::ops::cpu
