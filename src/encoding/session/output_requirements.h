#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "models/encoders/encoder.h"
#include "runtime/budget_scope.h"

/// The memory of a command's work after encoding, for BudgetScope::foresee(), beside the encoder and the
/// memory that encoding leaves behind. The verbs and `headroom memory plan` call these functions, so that
/// both name the same smallest budget.
namespace headroom::session {

/// Bytes that encoding leaves behind: RDKit's tables, and memory of the pipeline that the heap keeps.
inline constexpr std::uint64_t kLeftByEncoding = std::uint64_t{8} << 20;

/// `bytes` of the host's memory for `what`, beside the memory that encoding leaves behind.
MemoryRequirement host_need(std::string what, std::uint64_t bytes);

/// The need of writing features with this many rows.
MemoryRequirement need_of_feature_file(const std::filesystem::path& path, std::size_t rows,
                                       std::size_t width);

/// The need of writing the encoder's features of atoms or of pairs, for this many records.
MemoryRequirement need_of_fine_file(const std::filesystem::path& path, std::size_t records,
                                    const encoders::Encoder& encoder);

}  // namespace headroom::session
