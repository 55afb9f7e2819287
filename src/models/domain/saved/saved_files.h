#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace headroom::domain {

/// The files of a saved domain.
inline constexpr const char *kManifest = "domain-manifest.json", *kTensors = "domain.safetensors",
                            *kMolecules = "molecules.csv", *kTuned = "tuned_encoder.safetensors",
                            *kPredictions = "predictions.csv";
/// Copies of the models of chemprop: model_0000.pt and so on.
inline constexpr std::string_view kModel = "model_";

inline constexpr const char* kSavedDomainRemedy =
    "Make the folder again with headroom domain TRAIN CANDIDATES --save";

/// Throws InputError naming the file if its SHA-256 differs from the SHA-256 in the manifest.
void require_sha256(const std::filesystem::path& file, const nlohmann::json& manifest);

/// The same for a file whose SHA-256 `found` is known.
void require_sha256(const std::string& found, const std::filesystem::path& file,
                    const nlohmann::json& manifest);

}  // namespace headroom::domain
