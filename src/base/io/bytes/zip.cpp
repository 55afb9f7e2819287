#include "base/io/bytes/zip.h"

#include <algorithm>
#include <limits>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/io/bytes/crc32.h"
#include "base/io/bytes/inflate.h"
#include "base/io/bytes/little_endian.h"
#include "base/io/bytes/zip_records.h"

namespace molgauge::io {
namespace {

constexpr std::uint64_t kLocalHeaderBytes = 30, kCentralHeaderBytes = 46;
constexpr std::uint64_t kEndRecordBytes = 22, kZip64EndRecordBytes = 56, kZip64LocatorBytes = 20;
constexpr std::uint16_t kStored = 0, kDeflated = 8, kEncryptedFlag = 1;
// The largest possible ratio of deflate is 258 bytes for 2 bits (zlib, technical details). The slack is for
// rounding in the last block.
constexpr std::uint64_t kLargestRatio = 1032, kRatioSlack = 1024;

// The fields of a header, at fixed offsets. The caller has checked the length.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint16_t u16(std::size_t at) const { return load_little_endian<std::uint16_t>(bytes_.data() + at); }
  std::uint32_t u32(std::size_t at) const { return load_little_endian<std::uint32_t>(bytes_.data() + at); }
  std::uint64_t u64(std::size_t at) const { return load_little_endian<std::uint64_t>(bytes_.data() + at); }

 private:
  std::span<const std::byte> bytes_;
};

// The zip64 values of an entry: size, packed size and header offset, in this order. Only header fields that
// contain the marker for zip64 have such a value.
class Zip64Values {
 public:
  explicit Zip64Values(std::span<const std::byte> extra) {
    while (extra.size() >= 4) {
      const Fields field(extra);
      const std::size_t size = field.u16(2);
      if (size > extra.size() - 4) {
        return;
      }
      if (field.u16(0) == kZip64Extra) {
        values_ = extra.subspan(4, size);
        return;
      }
      extra = extra.subspan(4 + size);
    }
  }

  // If `value` is the marker for zip64, replaces it by the next zip64 value. Returns false if the zip64 value
  // is missing.
  bool replace_if_clipped(std::uint64_t& value) {
    if (value != kClipped32) {
      return true;
    }
    if (values_.size() < 8) {
      return false;
    }
    value = load_little_endian<std::uint64_t>(values_.data());
    values_ = values_.subspan(8);
    return true;
  }

 private:
  std::span<const std::byte> values_;
};

}  // namespace

ZipArchive::ZipArchive(const std::filesystem::path& path, const ZipLimits& limits)
    : ZipArchive(open_random_access(path), limits) {}

ZipArchive::ZipArchive(std::unique_ptr<RandomAccess> file, const ZipLimits& limits)
    : file_(std::move(file)), limits_(limits) {
  const Directory directory = find_directory();
  if (directory.entries > limits_.entries) {
    fail("has " + std::to_string(directory.entries) + " entries, more than are allowed");
  }
  read_directory(directory);
  for (auto& [name, entry] : entries_) {
    locate_data(name, entry, directory.offset);
  }
  refuse_overlaps();
  refuse_bombs();
}

// The end record is at the end of the file. Only a comment of at most 65535 bytes can follow.
ZipArchive::Directory ZipArchive::find_directory() const {
  const std::uint64_t window = std::min<std::uint64_t>(file_->size(), kEndRecordBytes + 0xffff);
  const std::uint64_t window_offset = file_->size() - window;
  const auto tail = file_->read(window_offset, window);
  for (std::size_t at = tail.size() < kEndRecordBytes ? 0 : tail.size() - kEndRecordBytes + 1; at-- > 0;) {
    const Fields record{std::span(tail).subspan(at)};
    if (record.u32(0) != kEndRecord || at + kEndRecordBytes + record.u16(20) != tail.size()) {
      continue;
    }
    const std::uint64_t offset = window_offset + at;
    if (record.u16(10) == kClipped16 || record.u32(12) == kClipped32 || record.u32(16) == kClipped32) {
      return read_zip64_directory(offset);
    }
    if (record.u16(4) != 0 || record.u16(6) != 0 || record.u16(8) != record.u16(10)) {
      fail("is one part of an archive of several. Join them first");
    }
    return {record.u32(16), record.u32(12), record.u16(10)};
  }
  fail("is not a zip archive, or is truncated");
}

ZipArchive::Directory ZipArchive::read_zip64_directory(std::uint64_t end_record_offset) const {
  if (end_record_offset < kZip64LocatorBytes) {
    fail("lacks the zip64 directory. It is damaged");
  }
  const auto locator_bytes = file_->read(end_record_offset - kZip64LocatorBytes, kZip64LocatorBytes);
  const Fields locator(locator_bytes);
  if (locator.u32(0) != kZip64Locator) {
    fail("lacks the zip64 directory. It is damaged");
  }
  const auto record_bytes = file_->read(locator.u64(8), kZip64EndRecordBytes);
  const Fields record(record_bytes);
  if (record.u32(0) != kZip64EndRecord) {
    fail("lacks the zip64 directory. It is damaged");
  }
  return {record.u64(48), record.u64(40), record.u64(32)};
}

void ZipArchive::read_directory(const Directory& directory) {
  const auto bytes = file_->read(directory.offset, directory.size);
  std::span<const std::byte> rest(bytes);
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (rest.size() < kCentralHeaderBytes || Fields(rest).u32(0) != kCentralHeader) {
      fail("has a damaged directory");
    }
    const Fields header(rest);
    const std::size_t name_bytes = header.u16(28), extra_bytes = header.u16(30),
                      comment_bytes = header.u16(32);
    if (name_bytes + extra_bytes + comment_bytes > rest.size() - kCentralHeaderBytes) {
      fail("has a damaged directory");
    }
    const std::string name(reinterpret_cast<const char*>(rest.data()) + kCentralHeaderBytes, name_bytes);
    if ((header.u16(8) & kEncryptedFlag) != 0) {
      fail("the entry " + name + " is encrypted. Unpack the archive first");
    }
    Entry entry{header.u16(10), header.u32(16), header.u32(20), header.u32(24), header.u32(42), 0};
    Zip64Values wide(rest.subspan(kCentralHeaderBytes + name_bytes, extra_bytes));
    if (!wide.replace_if_clipped(entry.size) || !wide.replace_if_clipped(entry.packed_size) ||
        !wide.replace_if_clipped(entry.header_offset)) {
      fail("the entry " + name + " lacks its zip64 sizes. The archive is damaged");
    }
    if (!entries_.emplace(name, entry).second) {
      fail("has two entries named " + name);
    }
    rest = rest.subspan(kCentralHeaderBytes + name_bytes + extra_bytes + comment_bytes);
  }
  if (!rest.empty()) {
    fail("has a damaged directory");
  }
}

// `limit`: the start of the directory, which no entry may overlap.
void ZipArchive::locate_data(const std::string& name, Entry& entry, std::uint64_t limit) const {
  const auto header_bytes = file_->read(entry.header_offset, kLocalHeaderBytes);
  const Fields header(header_bytes);
  if (header.u32(0) != kLocalHeader || header.u16(8) != entry.method || header.u16(26) != name.size()) {
    fail("the header of the entry " + name + " differs from the directory. The archive is damaged");
  }
  const auto local_name = file_->read(entry.header_offset + kLocalHeaderBytes, name.size());
  if (!std::ranges::equal(local_name, std::as_bytes(std::span(name)))) {
    fail("the header of the entry " + name + " has another name. The archive is damaged");
  }
  entry.data_offset = entry.header_offset + kLocalHeaderBytes + name.size() + header.u16(28);
  if (entry.data_offset > limit || entry.packed_size > limit - entry.data_offset) {
    fail("the entry " + name + " reaches into the directory. The archive is damaged");
  }
  if (entry.size > limits_.entry_bytes) {
    fail("the entry " + name + " claims " + std::to_string(entry.size) + " bytes, more than are allowed");
  }
  const bool plausible = entry.method == kStored
                             ? entry.size == entry.packed_size
                             : entry.size / kLargestRatio <= entry.packed_size + kRatioSlack;
  if (!plausible) {
    fail("the entry " + name + " claims to unpack to " + std::to_string(entry.size) + " bytes from " +
         std::to_string(entry.packed_size) + ". The archive is damaged");
  }
}

void ZipArchive::refuse_overlaps() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const auto& [name, entry] : entries_) {
    ranges.emplace_back(entry.header_offset, entry.data_offset + entry.packed_size);
  }
  std::ranges::sort(ranges);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) {
      fail("has entries that overlap. It is damaged or malicious");
    }
  }
}

// Refuses archives of a few megabytes that would fill the memory. Stored entries do not count, because they
// take no more bytes than the file.
void ZipArchive::refuse_bombs() const {
  std::uint64_t packed = 0, unpacked = 0;
  for (const auto& [name, entry] : entries_) {
    if (entry.method != kStored) {
      packed += entry.packed_size;
      unpacked += std::min(entry.size, std::numeric_limits<std::uint64_t>::max() - unpacked);
    }
  }
  if (unpacked > limits_.unpacked_bytes && unpacked / limits_.unpacked_ratio > packed) {
    fail("its packed entries unpack to " + format_bytes(unpacked) + ", more than " +
         format_bytes(limits_.unpacked_bytes) + " and " + std::to_string(limits_.unpacked_ratio) +
         " times their size. If this is correct, save it again without compression");
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) {
    names.push_back(name);
  }
  return names;
}

bool ZipArchive::is_packed(const std::string& name) const { return find(name).method != kStored; }

std::vector<std::byte> ZipArchive::read(const std::string& name) const {
  const Entry& entry = find(name);
  auto bytes = file_->read(entry.data_offset, entry.packed_size);
  if (entry.method == kDeflated) {
    std::vector<std::byte> unpacked(static_cast<std::size_t>(entry.size));
    inflate_raw(bytes, unpacked, file_name() + ": the entry " + name);
    bytes = std::move(unpacked);
  } else if (entry.method != kStored) {
    fail("the entry " + name + " is packed by method " + std::to_string(entry.method) +
         ". Pack it again with deflate, or without compression");
  }
  if (crc32(bytes) != entry.crc) {
    fail("the entry " + name + " does not match its checksum. The file is damaged. Get it again");
  }
  return bytes;
}

const ZipArchive::Entry& ZipArchive::find(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) {
    fail("has no entry named " + name);
  }
  return found->second;
}

void ZipArchive::fail(const std::string& reason) const { throw InputError(file_name() + ": " + reason); }

}  // namespace molgauge::io
