#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molecules/encoders/encoder.h"

/// The memory that a command needs after encoding, for BudgetScope::declare_requirement(). The encoder and
/// the memory that encoding leaves behind are not included. The verbs and `molgauge memory plan` call the
/// same functions, so they report the same smallest budget.
namespace molgauge::session {

/// Bytes that encoding leaves behind: RDKit's tables, and memory of the pipeline that the heap keeps.
inline constexpr std::uint64_t kLeftByEncoding = std::uint64_t{8} << 20;

/// Returns a requirement of kLeftByEncoding + `bytes` bytes of host memory. `what` names the work that needs
/// them.
runtime::MemoryRequirement host_need(std::string what, std::uint64_t bytes);

/// The memory for writing a feature file with this many rows.
runtime::MemoryRequirement need_of_feature_file(const std::filesystem::path& path, std::size_t rows,
                                                std::size_t width);

/// The memory for writing the atom features or pair features of the encoder for this many records.
runtime::MemoryRequirement need_of_fine_file(const std::filesystem::path& path, std::size_t records,
                                             const encoders::Encoder& encoder);

}  // namespace molgauge::session
