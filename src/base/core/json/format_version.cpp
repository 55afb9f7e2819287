#include "base/core/json/format_version.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/json/json_text.h"

namespace molgauge {

void require_format(const std::map<std::string, std::string>& metadata, std::string_view known,
                    const std::filesystem::path& file) {
  const auto found = metadata.find("format");
  if (found != metadata.end() && found->second.starts_with("molgauge ") && found->second != known) {
    throw InputError(
        fmt::format("{}: its format is '{}', but this version reads '{}'. Use the version of Molgauge "
                    "that wrote the file, or a later one",
                    file.string(), found->second, known));
  }
}

void require_format_version(const nlohmann::json& object, const std::filesystem::path& file) {
  const auto found = object.find("format_version");
  if (found != object.end() && *found != 1) {
    throw InputError(
        fmt::format("{}: its format_version is {}, but this version reads 1. Use the version of "
                    "Molgauge that wrote the file, or a later one",
                    file.string(), json_line(*found)));
  }
}

}  // namespace molgauge
