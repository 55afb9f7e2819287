#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/io/bytes/random_access.h"

namespace molgauge::io {

/// The limits of an archive.
struct ZipLimits {
  std::uint64_t entries = 1u << 20;
  std::uint64_t entry_bytes = std::uint64_t{64} << 30;  ///< unpacked size of one entry
  /// Limits for all compressed entries together. An archive is refused if its unpacked size exceeds both
  /// `unpacked_bytes` and `unpacked_ratio` times its packed size. Compression shrinks typical numbers of
  /// NumPy and PyTorch to a tenth, and zeros to a thousandth.
  std::uint64_t unpacked_bytes = std::uint64_t{64} << 20, unpacked_ratio = 50;
};

/// A zip archive (PKWARE APPNOTE 6.3: stored and deflated entries, zip64), read in place.
///
/// The archive is not trusted: every offset is checked. An entry is refused if it overlaps another entry, has
/// the name of another entry, or is encrypted. It is also refused if it claims to unpack to more than 1032
/// times its packed size, which is the limit of deflate, or if its local header contradicts the directory. An
/// archive is refused if its entries together exceed the limits. All errors are InputErrors that name the
/// file and the entry.
///
/// Thread safety: const methods may be called from several threads at once.
class ZipArchive {
 public:
  explicit ZipArchive(const std::filesystem::path& path, const ZipLimits& limits = {});
  explicit ZipArchive(std::unique_ptr<RandomAccess> file, const ZipLimits& limits = {});

  const std::string& file_name() const { return file_->name(); }
  std::uint64_t file_size() const { return file_->size(); }

  /// The names, in ascending order.
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const { return entries_.contains(name); }
  /// The unpacked size. Throws InputError if there is no such entry.
  std::uint64_t size(const std::string& name) const { return find(name).size; }
  /// Whether the entry is compressed. Throws InputError if there is no such entry.
  bool is_packed(const std::string& name) const;
  /// Unpacks an entry and checks its CRC.
  std::vector<std::byte> read(const std::string& name) const;

 private:
  struct Entry {
    std::uint16_t method = 0;
    std::uint32_t crc = 0;
    std::uint64_t packed_size = 0, size = 0;
    std::uint64_t header_offset = 0, data_offset = 0;
  };
  struct Directory {
    std::uint64_t offset, size, entries;
  };

  Directory find_directory() const;
  Directory read_zip64_directory(std::uint64_t end_record_offset) const;
  void read_directory(const Directory& directory);
  void locate_data(const std::string& name, Entry& entry, std::uint64_t limit) const;
  void refuse_overlaps() const;
  void refuse_bombs() const;
  const Entry& find(const std::string& name) const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::unique_ptr<RandomAccess> file_;
  ZipLimits limits_;
  std::map<std::string, Entry> entries_;
};

}  // namespace molgauge::io
