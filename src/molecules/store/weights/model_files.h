#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "molecules/store/weights/weight_store.h"

namespace molgauge::store {

/// Checkpoints in a wheel on PyPI that are installed as they are.
struct PublishedModels {
  std::string name;              ///< "admet-ai"
  std::string package, version;  ///< package on PyPI
  std::string folder;            ///< folder of the checkpoints in the wheel, with "/"
  /// Path below `folder` and SHA-256 of each checkpoint.
  std::vector<std::pair<std::string, std::string>> files;
  /// Path in the wheel and SHA-256 of the predictions for approved drugs, which are installed with the
  /// models.
  std::pair<std::string, std::string> drugs;
};

/// Returns the published models with this name, or null if there are none.
const PublishedModels* find_published_models(const std::string& name);

/// The folder of installed checkpoints below the folder of all weights.
std::filesystem::path models_folder(const std::filesystem::path& folder, const std::string& name);

/// The installed predictions for approved drugs.
std::filesystem::path drugs_file(const std::filesystem::path& folder, const std::string& name);
/// The name of this file in the manifest.
inline constexpr const char* kDrugsFile = "drugbank_approved.csv";

/// Installs published models into `folder`/NAME/models. The manifest is written last. `from`: the wheel. If
/// it is empty, pip downloads the wheel. Throws Error if the download fails, and InputError if a checkpoint
/// is missing in the wheel or does not have the published SHA-256.
InstalledWeights install_models(const PublishedModels& published, const std::filesystem::path& from,
                                const std::filesystem::path& folder);

}  // namespace molgauge::store
