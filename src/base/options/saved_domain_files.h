#pragma once

#include <array>
#include <string_view>

/// The files of a saved domain. models/domain/saved writes them under these names. base/options/own_folder.h
/// protects them.
namespace molgauge::domain {

inline constexpr const char *kManifest = "domain-manifest.json", *kTensors = "domain.safetensors",
                            *kMolecules = "molecules.csv", *kTuned = "tuned_encoder.safetensors",
                            *kPredictions = "predictions.csv";
/// Copies of the models of chemprop: model_0000.pt and so on.
inline constexpr std::string_view kModel = "model_";

/// All of these files, and the lock, as patterns of a shell.
inline constexpr std::array kSavedDomainFiles = {kManifest,    kTensors,          kMolecules, kTuned,
                                                 kPredictions, "model_[0-9]*.pt", ".lock"};

}  // namespace molgauge::domain
