#include "molecules/encoding/session/chemprop_models.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/files_below.h"
#include "base/io/tables/csv_reader.h"
#include "base/runtime/folders.h"
#include "molecules/store/weights/model_files.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/store/weights/weight_store.h"

namespace molgauge::session {
namespace {

using encoders::chemprop::CheckpointFile;
using encoders::chemprop::ModelSet;

bool has_checkpoints(const std::filesystem::path& folder) {
  const std::vector<std::filesystem::path> files = files_below(folder);
  return std::any_of(files.begin(), files.end(),
                     [](const std::filesystem::path& file) { return file.extension() == ".pt"; });
}

/// Throws InputError if an installed file is missing, or has changed since its installation.
void require_installed(const std::vector<CheckpointFile>& files, const store::WeightManifest& manifest,
                       const std::filesystem::path& folder) {
  for (const store::InstalledFile& installed : manifest.files) {
    if (installed.name == store::kDrugsFile) {
      continue;
    }
    const std::filesystem::path path = folder / manifest.encoder / installed.name;
    const auto found = std::find_if(files.begin(), files.end(),
                                    [&](const CheckpointFile& file) { return file.path == path; });
    const std::string problem =
        found == files.end() ? "is missing"
        : found->sha256 != installed.sha256
            ? fmt::format("has SHA-256 {}, the manifest says {}", found->sha256, installed.sha256)
            : "";
    if (!problem.empty()) {
      throw InputError(fmt::format("{} {}. Install them again with: molgauge weights install {}",
                                   path.string(), problem, manifest.encoder));
    }
  }
  for (const CheckpointFile& file : files) {
    const bool is_installed =
        std::any_of(manifest.files.begin(), manifest.files.end(), [&](const store::InstalledFile& installed) {
          return file.path == folder / manifest.encoder / installed.name;
        });
    if (!is_installed) {
      throw InputError(fmt::format("{} is not one of the models of {}. Move it to another folder",
                                   file.path.string(), manifest.encoder));
    }
  }
}

std::vector<CheckpointFile> read_hashed(const std::filesystem::path& path) {
  std::vector<CheckpointFile> files = encoders::chemprop::read_files(path);
  for (CheckpointFile& file : files) {
    file.sha256 = store::sha256(file.bytes);
  }
  return files;
}

/// Whether all files are published models of ADMET-AI.
bool are_admet_ai(const std::vector<std::string>& hashes) {
  const store::PublishedModels* const published = store::find_published_models("admet-ai");
  return std::all_of(hashes.begin(), hashes.end(), [&](const std::string& hash) {
    return std::any_of(published->files.begin(), published->files.end(),
                       [&](const auto& file) { return file.second == hash; });
  });
}

ModelSet parsed(std::vector<CheckpointFile> files, const std::filesystem::path& path) {
  ModelSet set = encoders::chemprop::parse_models(std::move(files), path);
  set.is_admet_ai = are_admet_ai(set.sha256);
  return set;
}

/// Reads the installed predictions for approved drugs into `set.drugs`.
void read_drugs(const store::PublishedModels& published, const std::filesystem::path& file, ModelSet& set) {
  const std::string remedy =
      fmt::format("Install the models again with: molgauge weights install {}", published.name);
  if (!std::filesystem::is_regular_file(file) || store::sha256_of_file(file) != published.drugs.second) {
    throw InputError(fmt::format("{} is missing or has changed. {}", file.string(), remedy));
  }
  io::CsvReader reader(file.string(), ',');
  const auto header = reader.next();
  std::vector<std::pair<std::size_t, std::vector<float>*>> columns;
  for (std::size_t i = 0; header && i < header->fields.size(); ++i) {
    for (const encoders::chemprop::Ensemble& ensemble : set.ensembles) {
      if (std::find(ensemble.tasks.begin(), ensemble.tasks.end(), header->fields[i]) !=
          ensemble.tasks.end()) {
        columns.emplace_back(i, &set.drugs[header->fields[i]]);
      }
    }
  }
  while (const auto row = reader.next()) {
    for (const auto& [column, values] : columns) {
      const std::string& cell = row->fields.at(column);
      double number = 0;
      std::from_chars(cell.data(), cell.data() + cell.size(),
                      number);  // std::stof() refuses denormal numbers
      values->push_back(static_cast<float>(number));
    }
  }
  for (auto& [task, values] : set.drugs) {
    std::sort(values.begin(), values.end());
  }
}

}  // namespace

bool is_chemprop(const std::string& model) {
  if (store::find_published_models(model) != nullptr) {
    return true;  // also if there is a folder with this name
  }
  const std::filesystem::path path = model;
  if (std::filesystem::is_directory(path)) {
    return !std::filesystem::exists(path / "config.json") && has_checkpoints(path);
  }
  return path.extension() == ".pt" || path.extension() == ".ckpt";
}

ChempropModels read_chemprop(const std::string& model, const std::string& weights) {
  if (store::find_published_models(model) == nullptr) {
    return {model, std::make_shared<const ModelSet>(parsed(read_hashed(model), model))};
  }
  const std::filesystem::path folder = runtime::weights_folder(weights);
  const auto manifest = store::find_manifest(folder, model);
  if (!manifest) {
    throw InputError(
        fmt::format("{}: these models are not installed in {}. Install them with: molgauge weights "
                    "install {}",
                    model, folder.string(), model));
  }
  const std::filesystem::path path = store::models_folder(folder, model);
  std::vector<CheckpointFile> files = read_hashed(path);
  require_installed(files, *manifest, folder);
  ModelSet set = parsed(std::move(files), path);
  if (set.is_admet_ai) {
    read_drugs(*store::find_published_models(model), store::drugs_file(folder, model), set);
  }
  return {path, std::make_shared<const ModelSet>(std::move(set))};
}

std::unique_ptr<encoders::chemprop::ChempropEncoder> make_chemprop_encoder(
    const ModelSet& set, encoders::chemprop::RowContent content) {
  std::string hashes;
  for (const std::string& hash : set.sha256) {
    hashes += hash;
  }
  return std::make_unique<encoders::chemprop::ChempropEncoder>(
      set, content, store::sha256(std::as_bytes(std::span(hashes))));
}

void require_chemprop_options(const std::filesystem::path& path, const ComputeOptions& compute) {
  const auto refuse = [&](const std::string& option, const char* reason) {
    throw UsageError(fmt::format("{} has no effect on the model {}, because {}. Leave it out", option,
                                 path.string(), reason));
  };
  if (!compute.precision.empty()) {
    refuse("--precision " + compute.precision, "it runs in 32-bit floating point");
  }
  if (compute.random_weights) {
    refuse("--random-weights", "its weights are in its file");
  }
  if (compute.device != "auto" && compute.device != "cpu") {
    refuse("--device " + compute.device, "it runs on the CPU");
  }
}

}  // namespace molgauge::session
