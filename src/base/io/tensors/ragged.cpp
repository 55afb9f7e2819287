#include "base/io/tensors/ragged.h"

#include <stdexcept>

#include "base/io/bytes/zip_writer.h"
#include "base/io/tensors/npy_header.h"

namespace molgauge::io {
namespace {

/// Converts a text to the form of NumPy, with four bytes for each character.
std::string as_ucs4(const std::string& text) {
  std::string wide;
  for (const char character : text) {
    wide += {character, 0, 0, 0};
  }
  return wide;
}

void add(ZipWriter& archive, const std::string& name, const std::string& content) {
  archive.add(name + ".npy", std::as_bytes(std::span(content)));
}

}  // namespace

void write_ragged_npz(const std::filesystem::path& path, const Ragged& ragged, const FillRows& fill) {
  if (ragged.offsets.empty()) {
    throw std::invalid_argument("write_ragged_npz: the offsets lack their beginning");
  }
  const auto rows = static_cast<std::size_t>(ragged.offsets.back());
  ZipWriter archive(path);
  const std::string header = format_npy_header(rows, ragged.columns);
  archive.begin("features.npy", header.size() + std::uint64_t{rows} * ragged.columns * sizeof(float));
  archive.append(std::as_bytes(std::span(header)));
  fill([&](std::span<const float> some) { archive.append(std::as_bytes(some)); });
  archive.end();
  const std::string integers = format_integer_header(ragged.offsets.size());
  archive.begin("offsets.npy", integers.size() + ragged.offsets.size_bytes());
  archive.append(std::as_bytes(std::span(integers)));
  archive.append(std::as_bytes(ragged.offsets));
  archive.end();
  for (const auto& [name, text] : ragged.metadata) {
    add(archive, name, format_text_header(text.size()) + as_ucs4(text));
  }
  archive.finish();
}

}  // namespace molgauge::io
