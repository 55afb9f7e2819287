#include "io/npz.h"

#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "io/npy.h"
#include "io/npy_header.h"
#include "io/zip.h"

namespace headroom::io {
namespace {

constexpr std::string_view kSuffix = ".npy";

std::unique_ptr<RandomAccess> open_entry(const ZipArchive& archive, const std::string& entry) {
  return random_access_in_memory(archive.file_name() + ": " + entry, archive.read(entry));
}

bool holds_numbers(const RandomAccess& array) {
  const std::string description = read_npy_header(array).description;
  return description.size() < 2 || std::string_view("USOV").find(description[1]) == std::string_view::npos;
}

}  // namespace

TensorMap read_npz(const std::filesystem::path& path) {
  const ZipArchive archive(path);
  TensorMap tensors;
  for (const std::string& entry : archive.names()) {
    if (!entry.ends_with(kSuffix)) {
      throw InputError(path.string() + ": the entry " + entry +
                       " is no array; is this file an .npz of NumPy?");
    }
    const auto array = open_entry(archive, entry);
    if (holds_numbers(*array)) {
      tensors.emplace(entry.substr(0, entry.size() - kSuffix.size()), read_npy(*array));
    }
  }
  return tensors;
}

TensorData read_npz(const std::filesystem::path& path, const std::string& name) {
  const ZipArchive archive(path);
  const std::string entry = name + std::string(kSuffix);
  if (!archive.contains(entry)) {
    throw InputError(fmt::format("{}: has no array named {}; there are: {}", path.string(), name,
                                 fmt::join(archive.names(), ", ")));
  }
  return read_npy(*open_entry(archive, entry));
}

}  // namespace headroom::io
