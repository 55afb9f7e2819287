#include "molecules/judging/saved/encoder_copies.h"

#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/regular_file.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/judging/saved/saved_files.h"
#include "molecules/store/weights/sha256.h"

namespace molgauge::domain {
namespace {

/// The files of the encoder that are copied into a saved folder.
std::vector<std::filesystem::path> files_of(const FeatureSource& source) {
  if (source.tuned.empty()) {
    return {};
  }
  return source.encoder == encoders::chemprop::kName ? encoders::chemprop::checkpoint_files(source.tuned)
                                                     : std::vector<std::filesystem::path>{source.tuned};
}

/// Returns the files of the encoder that an earlier call copied into the folder.
std::vector<std::filesystem::path> old_encoder_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == kTuned || name.starts_with(kModel)) {
      files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace

std::vector<std::string> encoder_files(const FeatureSource& source) {
  std::vector<std::string> names(files_of(source).size(), kTuned);
  for (std::size_t i = 0; source.encoder == encoders::chemprop::kName && i < names.size(); ++i) {
    names[i] = fmt::format("{}{:04}.pt", kModel, i);
  }
  return names;
}

void keep_encoder(const FeatureSource& source, const std::filesystem::path& folder) {
  std::vector<std::string> contents;
  for (const std::filesystem::path& file : files_of(source)) {
    contents.push_back(read_file(file));
    if (source.models != nullptr && (contents.size() > source.models->sha256.size() ||
                                     store::sha256(std::as_bytes(std::span(contents.back()))) !=
                                         source.models->sha256[contents.size() - 1])) {
      throw InputError(file.string() + ": has changed since it was read. Run the command again");
    }
  }
  for (const std::filesystem::path& old : old_encoder_files(folder)) {
    std::filesystem::remove(old);
  }
  const std::vector<std::string> names = encoder_files(source);
  for (std::size_t i = 0; i < names.size(); ++i) {
    replace_file(folder / names[i], contents[i]);
  }
}

std::shared_ptr<const encoders::chemprop::ModelSet> read_models(const std::filesystem::path& folder,
                                                                const nlohmann::json& manifest) {
  std::size_t models = 0;
  for (const auto& [name, hash] : manifest.at("sha256").items()) {
    if (name.starts_with(kModel)) {
      require_regular_file(folder / name);
      if (!std::filesystem::exists(folder / name)) {
        throw InputError(fmt::format("{}: is missing. {}", (folder / name).string(), kSavedDomainRemedy));
      }
      ++models;
    }
  }
  if (models == 0) {
    throw InputError(
        fmt::format("{}: names no model. {}", (folder / kManifest).string(), kSavedDomainRemedy));
  }
  std::vector<encoders::chemprop::CheckpointFile> files = encoders::chemprop::read_files(folder);
  for (encoders::chemprop::CheckpointFile& file : files) {
    if (!manifest.at("sha256").contains(file.path.filename().string())) {
      throw InputError(fmt::format("{}: is not a file of the saved domain. Move it to another folder",
                                   file.path.string()));
    }
    file.sha256 = store::sha256(file.bytes);
    require_sha256(file.sha256, file.path, manifest);
  }
  return std::make_shared<const encoders::chemprop::ModelSet>(
      encoders::chemprop::parse_models(std::move(files), folder));
}

}  // namespace molgauge::domain
