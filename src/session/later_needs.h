#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "session/memory_session.h"

/// What the work of a command that comes after encoding takes, for MemorySession::foresee(): beside the
/// encoder and what encoding leaves behind. The verbs and `headroom memory plan` ask here, so that both name
/// the same smallest budget.
namespace headroom::session {

/// Bytes that encoding leaves behind: RDKit's tables, and what the heap does not give back of the pipeline.
inline constexpr std::uint64_t kLeftByEncoding = std::uint64_t{8} << 20;

/// `bytes` of the host's memory for `what`, beside what encoding leaves behind.
MemoryNeed host_need(std::string what, std::uint64_t bytes);

/// Writing features of so many rows.
MemoryNeed need_of_feature_file(const std::filesystem::path& path, std::size_t rows, std::size_t width);

}  // namespace headroom::session
