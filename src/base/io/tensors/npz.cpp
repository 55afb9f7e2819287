#include "base/io/tensors/npz.h"

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/bytes/zip.h"
#include "base/io/bytes/zip_writer.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/npy_header.h"

namespace molgauge::io {
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
                       " is not an array. Save the file with numpy.savez");
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
    throw InputError(fmt::format("{}: has no array named {}. Available: {}", path.string(), name,
                                 fmt::join(archive.names(), ", ")));
  }
  return read_npy(*open_entry(archive, entry));
}

void write_npz(const std::filesystem::path& path,
               const std::map<std::string, std::span<const float>>& arrays) {
  ZipWriter archive(path);
  for (const auto& [name, numbers] : arrays) {
    const std::string header = format_npy_header(numbers.size());
    std::vector<std::byte> content(header.size() + numbers.size_bytes());
    std::memcpy(content.data(), header.data(), header.size());
    if (!numbers.empty()) {
      std::memcpy(content.data() + header.size(), numbers.data(), numbers.size_bytes());
    }
    archive.add(name + std::string(kSuffix), content);
  }
  archive.finish();
}

}  // namespace molgauge::io
