#include "molecules/judging/saved/saved_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/checked_json.h"
#include "molecules/store/weights/sha256.h"

namespace molgauge::domain {

void require_sha256(const std::filesystem::path& file, const nlohmann::json& manifest) {
  require_sha256(store::sha256_of_file(file), file, manifest);
}

void require_sha256(const std::string& found, const std::filesystem::path& file,
                    const nlohmann::json& manifest) {
  const auto wanted = checked<std::string>(manifest.at("sha256").at(file.filename().string()));
  if (found != wanted) {
    throw InputError(fmt::format("{}: is not the file that was saved (its SHA-256 differs). {}",
                                 file.string(), kSavedDomainRemedy));
  }
}

}  // namespace molgauge::domain
