#pragma once

#include <string>
#include <vector>

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/loops.h"

namespace molgauge::ops::cpu {

/// Instruction sets that have kernels. The levels of an architecture are ordered by the speed of their
/// kernels, slowest first.
enum class InstructionLevel {
  generic,      ///< runs on every supported CPU (x86-64: SSE2; aarch64: NEON). The compiler generates the
                ///< vector code
  avx2,         ///< AVX2 and FMA
  avx2_vnni,    ///< AVX2 and AVX-VNNI: products of four bytes summed in one instruction, on 256-bit vectors
  avx512,       ///< AVX-512 F, BW, DQ, VL
  avx512_vnni,  ///< also VNNI: products of four bytes summed in one instruction, on 512-bit vectors
  avx512_bf16,  ///< also BF16: products of two bfloat16 summed in one instruction
  amx,          ///< AVX-512 VNNI and AMX: products of matrices of bytes and of bfloat16
  neon,         ///< vectors of 128 bits on aarch64
  neon_dot,     ///< also the dot products of Armv8.2: products of four bytes summed in one instruction
  neon_bf16,    ///< also BF16 of Armv8.6: products of two bfloat16 summed in one instruction
};

/// The name that $MOLGAUGE_CPU_LEVEL uses: "avx512-bf16".
const char* to_string(InstructionLevel level);

/// All levels compiled into this program, which are the levels of its architecture, in ascending order.
std::vector<InstructionLevel> compiled_levels();
/// Whether the level is compiled in and supported by this CPU and operating system.
bool is_supported(InstructionLevel level);

/// Whether the level is faster than the next lower one on this CPU. avx512_bf16 is slower on Intel CPUs.
/// These CPUs start one vdpbf16ps every two cycles, which is a quarter of the rate of float32 multiply-adds
/// (Sapphire Rapids, docs/results/speed.md).
bool pays_off(InstructionLevel level);

/// The level in use. It is $MOLGAUGE_CPU_LEVEL if the variable is set, otherwise the fastest supported level.
/// The first call chooses it. Throws UsageError if the variable names an unknown or unsupported level.
InstructionLevel chosen_level();

/// The kernels of the level in use, or of a given level. Throws std::logic_error if the given level is not
/// compiled in.
const Kernels& kernels();
const Kernels& kernels_of(InstructionLevel level);
/// The loops of the level in use.
const Loops& loops();

}  // namespace molgauge::ops::cpu
