#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace molgauge::io {

/// A stream of bytes from a file or standard input, unpacked if it is compressed.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `target.size()` bytes and returns their number, or 0 at the end. If the read fails, throws
  /// InputError that contains only the reason. The caller adds file and line. Throws Interrupted if the user
  /// asks to stop while the read waits for a pipe.
  virtual std::size_t read(std::span<char> target) = 0;
};

/// Opens a file, or standard input for "-". Gzip (RFC 1952, also with several members) is recognised by its
/// first bytes and unpacked. Throws InputError with the name of the file if it is missing, a folder or
/// unreadable.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

/// The limit of unpacked gzip: `bytes`, plus `ratio` times the packed bytes that were read so far.
struct UnpackLimit {
  std::uint64_t bytes, ratio;
};

/// Opens bytes in memory, and unpacks them if they are gzip. The bytes must outlive the source.
std::unique_ptr<ByteSource> open_byte_source(std::span<const char> content);

/// Opens a file like open_byte_source(path), but read() throws InputError when gzip unpacks to more than
/// `limit`.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path, const UnpackLimit& limit);

/// Returns the whole content of open_byte_source(path). Every InputError names the file. Refuses gzip that
/// unpacks to more than 64 MiB plus fifty times its packed size, because a file of a few megabytes could fill
/// the memory.
std::string read_all(const std::string& path);

}  // namespace molgauge::io
