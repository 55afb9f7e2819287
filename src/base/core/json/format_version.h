#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace molgauge {

// Files of later versions are refused, because this version would misread them. docs/reference/versions.md
// says when the version of a format rises.

/// Checks the entry "format" in the metadata of a safetensors file. Throws InputError if Molgauge wrote the
/// file in a format other than `known`. Files of other programs pass.
void require_format(const std::map<std::string, std::string>& metadata, std::string_view known,
                    const std::filesystem::path& file);

/// Checks the field "format_version" of a JSON object whose only version so far is 1. A file without the
/// field has version 1. Throws InputError for another version.
void require_format_version(const nlohmann::json& object, const std::filesystem::path& file);

}  // namespace molgauge
