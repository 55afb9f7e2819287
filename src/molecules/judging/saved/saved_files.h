#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/options/saved_domain_files.h"

namespace molgauge::domain {

inline constexpr const char* kSavedDomainRemedy =
    "Make the folder again with molgauge domain TRAIN CANDIDATES --save";

/// Throws InputError naming the file if its SHA-256 differs from the SHA-256 in the manifest.
void require_sha256(const std::filesystem::path& file, const nlohmann::json& manifest);

/// The same for a file whose SHA-256 `found` is known.
void require_sha256(const std::string& found, const std::filesystem::path& file,
                    const nlohmann::json& manifest);

}  // namespace molgauge::domain
