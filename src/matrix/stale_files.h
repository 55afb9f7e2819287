#pragma once

#include <filesystem>
#include <string>

namespace headroom::matrix {

/// Replaces a file that not every matrix has; with an empty text removes it, as what an earlier specification
/// left there is not of this one.
void write_or_remove(const std::filesystem::path& file, const std::string& text);

}  // namespace headroom::matrix
