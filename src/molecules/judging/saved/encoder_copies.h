#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molecules/judging/saved_domain.h"

namespace molgauge::domain {

/// The names of the encoder files in a saved domain, which are copies. Empty for an encoder without such
/// files.
std::vector<std::string> encoder_files(const FeatureSource& source);

/// Copies the fine-tuned layers or the models into the folder. The domain then does not need the original
/// files. Throws InputError if a model has changed since it was read.
void keep_encoder(const FeatureSource& source, const std::filesystem::path& folder);

/// Reads the models of chemprop. Throws InputError if one is missing or damaged, or if the folder has other
/// .pt files, which would be read as models.
std::shared_ptr<const encoders::chemprop::ModelSet> read_models(const std::filesystem::path& folder,
                                                                const nlohmann::json& manifest);

}  // namespace molgauge::domain
