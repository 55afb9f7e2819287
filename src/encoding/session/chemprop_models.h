#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "headroom/types.h"
#include "models/encoders/chemprop/ensemble.h"
#include "models/encoders/encoder.h"

/// Chemprop models that a request names, as encoders.
namespace headroom::session {

inline constexpr const char* kChemprop = encoders::chemprop::kName;

/// Whether `model` is a .pt or .ckpt file, a folder of .pt files that is not a run folder, or the name of
/// installed models.
bool is_chemprop(const std::string& model);

/// The file or folder of the models. `weights`: folder of installed models, empty for the default. Throws
/// InputError if `model` is the name of models that are not installed.
std::filesystem::path chemprop_path(const std::string& model, const std::string& weights);

/// The hash of the hashes of all files, which identifies the models in the feature store.
std::string sha256_of(const encoders::chemprop::ModelSet& set);

/// An encoder whose rows are the learned features of the models at `path`, one model after the other. Throws
/// UsageError if `compute` asks for a precision, random weights or a GPU, and the errors of read_models().
std::unique_ptr<encoders::Encoder> make_chemprop_encoder(const std::filesystem::path& path,
                                                         const ComputeOptions& compute);

}  // namespace headroom::session
