#pragma once

#include <filesystem>
#include <string>

namespace headroom::matrix {

/// Replaces a file that only some matrices have. An empty text removes the file, which an earlier
/// specification has left.
void write_or_remove(const std::filesystem::path& file, const std::string& text);

}  // namespace headroom::matrix
