#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "molecules/encoders/chemprop/chemprop_encoder.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molgauge/types.h"

/// Makes encoders from the chemprop models that a request names.
namespace molgauge::session {

inline constexpr const char* kChemprop = encoders::chemprop::kName;

/// Whether `model` is a .pt or .ckpt file, a folder of .pt files that is not a run folder, or the name of
/// installed models.
bool is_chemprop(const std::string& model);

/// Models of chemprop that were read from a file or folder.
struct ChempropModels {
  std::filesystem::path path;
  std::shared_ptr<const encoders::chemprop::ModelSet> set;
};

/// Reads the models, each file once. `weights`: folder of installed models, empty for the default. Throws
/// InputError if `model` is the name of models that are not installed, or if an installed file has changed.
/// Throws the errors of encoders::chemprop::read_models().
ChempropModels read_chemprop(const std::string& model, const std::string& weights);

/// Makes an encoder whose rows are the predictions or the learned features of the models. A hash over the
/// hashes of the model files identifies the rows in the feature store.
std::unique_ptr<encoders::chemprop::ChempropEncoder> make_chemprop_encoder(
    const encoders::chemprop::ModelSet& set, encoders::chemprop::RowContent content);

/// Throws UsageError if `compute` asks for a precision, random weights or a GPU. `path`: the name of the
/// models in the message.
void require_chemprop_options(const std::filesystem::path& path, const ComputeOptions& compute);

}  // namespace molgauge::session
