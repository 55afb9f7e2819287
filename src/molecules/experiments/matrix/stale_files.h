#pragma once

#include <filesystem>
#include <string>

namespace molgauge::matrix {

/// Writes `text` to the file. If `text` is empty, removes the file, because it belongs to an earlier
/// specification.
void write_or_remove(const std::filesystem::path& file, const std::string& text);

}  // namespace molgauge::matrix
