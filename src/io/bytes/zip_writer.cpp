#include "io/bytes/zip_writer.h"

#include <limits>

#include "core/error.h"
#include "io/bytes/crc32.h"
#include "io/bytes/little_endian.h"
#include "io/bytes/zip_records.h"

namespace headroom::io {
namespace {

constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kFirstOfJanuary1980 = 0x21;  ///< the earliest date there is; no time is kept

template <typename... Numbers>
std::string fields(Numbers... numbers) {
  std::string text;
  const auto append = [&](auto number) {
    std::byte bytes[sizeof number];
    store_little_endian(bytes, number);
    text.append(reinterpret_cast<const char*>(bytes), sizeof number);
  };
  (append(numbers), ...);
  return text;
}

constexpr std::uint16_t operator""_u16(unsigned long long number) {
  return static_cast<std::uint16_t>(number);
}

}  // namespace

std::uint32_t ZipWriter::checked(std::uint64_t size) const {
  if (size >= std::numeric_limits<std::uint32_t>::max()) {
    throw Error(file_.path().string() + ": more than 4 GiB do not fit this kind of archive");
  }
  return static_cast<std::uint32_t>(size);
}

void ZipWriter::add(const std::string& name, std::span<const std::byte> content) {
  // Version needed, flags, method (stored), time, date, checksum, packed size, size, length of name, extra.
  const std::string common =
      fields(kVersion, 0_u16, 0_u16, 0_u16, kFirstOfJanuary1980, crc32(content), checked(content.size()),
             checked(content.size()), static_cast<std::uint16_t>(name.size()), 0_u16);
  // Then of comment, disk, internal and external attributes, offset of the entry.
  directory_ += fields(kCentralHeader, kVersion) + common +
                fields(0_u16, 0_u16, 0_u16, std::uint32_t{0}, checked(offset_)) + name;
  const std::string header = fields(kLocalHeader) + common + name;
  file_.append(header);
  file_.append(content);
  offset_ += header.size() + content.size();
  ++entries_;
}

void ZipWriter::finish() {
  file_.append(directory_);
  // This disk, that of the directory, entries on it and in all, size and offset of the directory, comment.
  file_.append(fields(kEndRecord, 0_u16, 0_u16, entries_, entries_, checked(directory_.size()),
                      checked(offset_), 0_u16));
  file_.commit();
}

}  // namespace headroom::io
