#pragma once

#include <filesystem>
#include <string>

namespace headroom::matrix {

/// Replaces a file that only some matrices have. If `text` is empty, removes the file of an earlier
/// specification.
void write_or_remove(const std::filesystem::path& file, const std::string& text);

}  // namespace headroom::matrix
