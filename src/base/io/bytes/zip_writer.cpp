#include "base/io/bytes/zip_writer.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/crc32.h"
#include "base/io/bytes/little_endian.h"
#include "base/io/bytes/zip_records.h"

namespace molgauge::io {
namespace {

constexpr std::uint16_t kVersion = 20, kZip64Version = 45;
constexpr std::uint16_t kFirstOfJanuary1980 = 0x21;  ///< the earliest possible date, because no time is
                                                     ///< stored
constexpr std::uint64_t kChecksumInHeader = 14;      ///< offset of the checksum in the local header
constexpr std::uint64_t kZip64EndRecordRest = 44;    ///< bytes of the zip64 end record after its length field

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

/// The extra field with these values, or nothing if there are none.
std::string zip64_extra(const std::string& values) {
  return values.empty() ? "" : fields(kZip64Extra, static_cast<std::uint16_t>(values.size())) + values;
}

/// Fields: needed version, flags, method (stored), time, date, checksum, packed size, size, length of the
/// name, length of the extra field.
std::string common_fields(std::uint16_t version, std::uint32_t checksum, std::uint32_t size,
                          const std::string& name, const std::string& extra) {
  return fields(version, 0_u16, 0_u16, 0_u16, kFirstOfJanuary1980, checksum, size, size,
                static_cast<std::uint16_t>(name.size()), static_cast<std::uint16_t>(extra.size()));
}

}  // namespace

std::uint32_t ZipWriter::clipped(std::uint64_t number) const {
  return is_large(number) ? kClipped32 : static_cast<std::uint32_t>(number);
}

void ZipWriter::add(const std::string& name, std::span<const std::byte> content) {
  begin(name, content.size());
  append(content);
  end();
}

void ZipWriter::begin(const std::string& name, std::uint64_t size) {
  name_ = name;
  begin_ = offset_;
  size_ = size;
  written_ = 0;
  checksum_ = 0;
  const std::string extra = zip64_extra(is_large(size) ? fields(size, size) : "");
  const std::string header =
      fields(kLocalHeader) +
      common_fields(is_large(size) ? kZip64Version : kVersion, 0, clipped(size), name, extra) + name + extra;
  file_.append(header);
  offset_ += header.size();
}

void ZipWriter::append(std::span<const std::byte> piece) {
  file_.append(piece);
  checksum_ = crc32(piece, checksum_);
  written_ += piece.size();
}

void ZipWriter::end() {
  if (written_ != size_) {
    throw Error(fmt::format("{}: the entry {} has {} bytes, but {} were announced", file_.path().string(),
                            name_, written_, size_));
  }
  file_.overwrite(begin_ + kChecksumInHeader, fields(checksum_));
  std::string values = is_large(size_) ? fields(size_, size_) : "";
  values += is_large(begin_) ? fields(begin_) : "";
  const std::string extra = zip64_extra(values);
  const std::uint16_t version = values.empty() ? kVersion : kZip64Version;
  // Fields: version made by, then the common fields, length of the comment, disk, internal and external
  // attributes, offset of the entry.
  directory_ += fields(kCentralHeader, version) +
                common_fields(version, checksum_, clipped(size_), name_, extra) +
                fields(0_u16, 0_u16, 0_u16, std::uint32_t{0}, clipped(begin_)) + name_ + extra;
  offset_ += size_;
  ++entries_;
}

void ZipWriter::finish() {
  file_.append(directory_);
  const std::uint64_t size = directory_.size();
  const bool are_many = entries_ >= kClipped16;
  if (is_large(offset_) || is_large(size) || are_many) {
    // Fields: versions, this disk, disk of the directory, entries on this disk and in total, size and offset
    // of the directory.
    file_.append(fields(kZip64EndRecord, kZip64EndRecordRest, kZip64Version, kZip64Version, std::uint32_t{0},
                        std::uint32_t{0}, entries_, entries_, size, offset_));
    // Fields: disk of the zip64 end record, offset of this record, number of disks.
    file_.append(fields(kZip64Locator, std::uint32_t{0}, offset_ + size, std::uint32_t{1}));
  }
  const std::uint16_t entries = are_many ? kClipped16 : static_cast<std::uint16_t>(entries_);
  // Fields: this disk, disk of the directory, entries on this disk and in total, size and offset of the
  // directory, length of the comment.
  file_.append(fields(kEndRecord, 0_u16, 0_u16, entries, entries, clipped(size), clipped(offset_), 0_u16));
  file_.commit();
}

}  // namespace molgauge::io
