#include "base/numerics/ops/cpu/instruction_level.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#if defined(MOLGAUGE_X86_LEVELS)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(MOLGAUGE_ARM_LEVELS)
#include <sys/auxv.h>
#endif

#include "base/core/error.h"
#include "base/numerics/ops/cpu/x86_features.h"

namespace molgauge::ops::cpu {

// The functions in levels/layers.cpp are defined once for each level. The functions in levels/arrays.cpp and
// levels/loops.cpp are defined once for each vector width.
namespace generic {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
extern const Loops kLoops;
}  // namespace generic
#if defined(MOLGAUGE_X86_LEVELS)
namespace avx2 {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
extern const Loops kLoops;
}  // namespace avx2
namespace avx2_vnni {
extern const LayerKernels kLayerKernels;
}
namespace avx512 {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
extern const Loops kLoops;
}  // namespace avx512
namespace avx512_vnni {
extern const LayerKernels kLayerKernels;
}
namespace avx512_bf16 {
extern const LayerKernels kLayerKernels;
}
namespace amx {
extern const LayerKernels kLayerKernels;
}
#elif defined(MOLGAUGE_ARM_LEVELS)
namespace neon {
extern const LayerKernels kLayerKernels;
extern const ArrayKernels kArrayKernels;
}  // namespace neon
namespace neon_dot {
extern const LayerKernels kLayerKernels;
}
namespace neon_bf16 {
extern const LayerKernels kLayerKernels;
}
#endif

namespace {

constexpr const char* kVariable = "MOLGAUGE_CPU_LEVEL";

#if defined(MOLGAUGE_X86_LEVELS)

/// Asks Linux for permission to use the AMX tile registers in this process
/// (Documentation/arch/x86/xstate.rst). Returns whether Linux permits it.
bool tile_registers_are_kept() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

/// Reads the features that CPUID reports. The operating system must also save the registers of AVX and
/// AVX-512, which __builtin_cpu_supports checks.
X86Features features_of_this_cpu() {
  X86Features features;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) {
    features.leaf_1_ecx = c;
  }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) {
    features.leaf_7_ebx = b;
  }
  if (__get_cpuid(0x80000001U, &a, &b, &c, &d) != 0) {
    features.leaf_80000001_ecx = c;
  }
  return features;
}

bool has_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kBfloat16 = 1U << 22U, kTiles = 1U << 24U, kBytes = 1U << 25U;
  constexpr unsigned kAll = kBfloat16 | kTiles | kBytes;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kAll) == kAll && tile_registers_are_kept();
}

/// Instruction sets that CPUID reports in EAX of leaf 7, subleaf 1. Compilers have no common names for them.
/// has() does not check that the operating system saves the registers, because the check for the next lower
/// level already does so.
enum class RuntimeCpuFeature : unsigned { avx_vnni = 1U << 4U, avx512_bf16 = 1U << 5U };

bool has(RuntimeCpuFeature feature) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & static_cast<unsigned>(feature)) != 0;
}

#elif defined(MOLGAUGE_ARM_LEVELS)

bool has_dot_products() { return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0; }
bool has_bfloat16() { return has_dot_products() && (getauxval(AT_HWCAP2) & HWCAP2_BF16) != 0; }

#endif

struct Entry {
  InstructionLevel level;
  const char* name;
  Kernels kernels;
  const Loops* loops;
  bool (*is_supported)();
  bool (*pays_off)() = [] { return true; };
};

const auto& entries() {
  static const std::array kEntries = {
    Entry{InstructionLevel::generic,
          "generic",
          {generic::kLayerKernels, generic::kArrayKernels},
          &generic::kLoops,
          [] { return true; }},
#if defined(MOLGAUGE_X86_LEVELS)
    Entry{InstructionLevel::avx2,
          "avx2",
          {avx2::kLayerKernels, avx2::kArrayKernels},
          &avx2::kLoops,
          [] { return __builtin_cpu_supports("avx2") && has_v3(features_of_this_cpu()); }},
    Entry{InstructionLevel::avx2_vnni,
          "avx2-vnni",
          {avx2_vnni::kLayerKernels, avx2::kArrayKernels},
          &avx2::kLoops,
          [] { return is_supported(InstructionLevel::avx2) && has(RuntimeCpuFeature::avx_vnni); }},
    Entry{InstructionLevel::avx512,
          "avx512",
          {avx512::kLayerKernels, avx512::kArrayKernels},
          &avx512::kLoops,
          [] { return __builtin_cpu_supports("avx512f") && has_v4(features_of_this_cpu()); }},
    Entry{InstructionLevel::avx512_vnni,
          "avx512-vnni",
          {avx512_vnni::kLayerKernels, avx512::kArrayKernels},
          &avx512::kLoops,
          [] { return is_supported(InstructionLevel::avx512) && __builtin_cpu_supports("avx512vnni"); }},
    Entry{InstructionLevel::avx512_bf16,
          "avx512-bf16",
          {avx512_bf16::kLayerKernels, avx512::kArrayKernels},
          &avx512::kLoops,
          [] { return is_supported(InstructionLevel::avx512_vnni) && has(RuntimeCpuFeature::avx512_bf16); },
          [] { return __builtin_cpu_is("intel") == 0; }},
    Entry{InstructionLevel::amx,
          "amx",
          {amx::kLayerKernels, avx512::kArrayKernels},
          &avx512::kLoops,
          [] { return is_supported(InstructionLevel::avx512_vnni) && has_amx(); }},
#elif defined(MOLGAUGE_ARM_LEVELS)
    Entry{InstructionLevel::neon,
          "neon",
          {neon::kLayerKernels, neon::kArrayKernels},
          &generic::kLoops,
          [] { return true; }},
    Entry{InstructionLevel::neon_dot,
          "neon-dot",
          {neon_dot::kLayerKernels, neon::kArrayKernels},
          &generic::kLoops,
          has_dot_products},
    Entry{InstructionLevel::neon_bf16,
          "neon-bf16",
          {neon_bf16::kLayerKernels, neon::kArrayKernels},
          &generic::kLoops,
          has_bfloat16},
#endif
  };
  return kEntries;
}

/// Returns null if the level is not compiled in.
const Entry* find_entry(InstructionLevel level) {
  const auto found = std::find_if(entries().begin(), entries().end(),
                                  [&](const Entry& entry) { return entry.level == level; });
  return found == entries().end() ? nullptr : &*found;
}

const Entry& entry_of(InstructionLevel level) {
  const Entry* const entry = find_entry(level);
  if (entry == nullptr) {
    throw std::logic_error("kernels of a level that is not compiled in");
  }
  return *entry;
}

InstructionLevel choose() {
  const char* const wanted = std::getenv(kVariable);
  std::vector<const char*> supported;
  for (const Entry& entry : entries()) {
    if (entry.is_supported()) {
      if (wanted != nullptr && std::string(wanted) == entry.name) {
        return entry.level;
      }
      supported.push_back(entry.name);
    }
  }
  if (wanted != nullptr && *wanted != '\0') {
    throw UsageError(fmt::format("{}={}: this CPU has the levels {}. Name one of them, or unset the variable",
                                 kVariable, wanted, fmt::join(supported, ", ")));
  }
  return std::find_if(entries().rbegin(), entries().rend(),
                      [](const Entry& entry) { return entry.is_supported() && entry.pays_off(); })
      ->level;
}

}  // namespace

const char* to_string(InstructionLevel level) { return entry_of(level).name; }

std::vector<InstructionLevel> compiled_levels() {
  std::vector<InstructionLevel> levels;
  for (const Entry& entry : entries()) {
    levels.push_back(entry.level);
  }
  return levels;
}

bool is_supported(InstructionLevel level) {
  const Entry* const entry = find_entry(level);
  return entry != nullptr && entry->is_supported();
}

bool pays_off(InstructionLevel level) { return entry_of(level).pays_off(); }

InstructionLevel chosen_level() {
  static const InstructionLevel chosen = choose();
  return chosen;
}

const Kernels& kernels() {
  static const Kernels& chosen = kernels_of(chosen_level());
  return chosen;
}

const Loops& loops() {
  static const Loops& chosen = *entry_of(chosen_level()).loops;
  return chosen;
}

const Kernels& kernels_of(InstructionLevel level) { return entry_of(level).kernels; }

}  // namespace molgauge::ops::cpu
