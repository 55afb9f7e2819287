#include "base/io/tensors/checkpoint_archive.h"

#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/io/pickle/pickle_reader.h"

namespace molgauge::io {
namespace {

// Maximum unpacked size of a compressed pickle. torch.save does not compress, so a compressed pickle comes
// from another program. A small file may unpack to a large size.
constexpr std::uint64_t kLargestPackedPickle = std::uint64_t{64} << 20;

// The pickle of the number 0x1950a86a20f9469cfc6c. Files of torch.save before PyTorch 1.6 begin with it.
constexpr std::string_view kLegacyMagic("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14);

std::unique_ptr<RandomAccess> require_zip(std::unique_ptr<RandomAccess> opened) {
  const RandomAccess& file = *opened;
  std::array<std::byte, kLegacyMagic.size()> start{};
  if (file.size() < start.size()) {
    throw InputError(file.name() +
                     ": is too short for a PyTorch checkpoint. The file is truncated. Get it again");
  }
  file.read(0, start);
  if (std::memcmp(start.data(), kLegacyMagic.data(), kLegacyMagic.size()) == 0) {
    throw InputError(file.name() +
                     ": is in the format of PyTorch before 1.6. If you trust the file, convert it: python -c "
                     "\"import torch; torch.save(torch.load('old.pth', map_location='cpu'), 'new.pth')\"");
  }
  if (std::memcmp(start.data(), "PK\x03\x04", 4) != 0) {
    throw InputError(file.name() +
                     ": is not a PyTorch checkpoint (it does not start as torch.save's files do)");
  }
  return opened;
}

// Finds the only folder of the archive. Its name depends on the program that saved the file.
std::string find_folder(const ZipArchive& archive) {
  constexpr std::string_view kPickle = "data.pkl";
  std::optional<std::string> folder;
  for (const std::string& name : archive.names()) {
    const bool in_folder = name.ends_with("/" + std::string(kPickle));
    if (name == kPickle || in_folder) {
      if (folder) {
        throw InputError(archive.file_name() + ": has two pickles, " + *folder + "data.pkl and " + name);
      }
      folder = name.substr(0, name.size() - kPickle.size());
    }
  }
  if (!folder) {
    throw InputError(archive.file_name() +
                     ": is not a PyTorch checkpoint, but a zip archive without data.pkl");
  }
  if (archive.contains(*folder + "constants.pkl")) {
    throw InputError(archive.file_name() +
                     ": is a TorchScript program. Save its weights with "
                     "torch.save(torch.jit.load(path).state_dict(), 'weights.pth')");
  }
  return *folder;
}

}  // namespace

CheckpointArchive::CheckpointArchive(std::unique_ptr<RandomAccess> file)
    : zip_(require_zip(std::move(file))), folder_(find_folder(zip_)) {}

PickleDocument CheckpointArchive::structure(const PickleLimits& limits) const {
  const std::string entry = folder_ + "data.pkl";
  if (zip_.is_packed(entry) && zip_.size(entry) > kLargestPackedPickle) {
    throw InputError(
        fmt::format("{}: its data.pkl is compressed and unpacks to {}, more than {}. torch.save does not "
                    "compress. If you trust the file, save it again with torch.save",
                    file_name(), format_bytes(zip_.size(entry)), format_bytes(kLargestPackedPickle)));
  }
  return read_pickle(*random_access_in_memory(file_name() + ": " + entry, zip_.read(entry)), limits);
}

}  // namespace molgauge::io
