#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace headroom::io {

/// Bytes one after another: a file, standard input, either of them unpacked on the way.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills as much of `target` as there is; 0 at the end. Throws InputError with the reason alone: the caller
  /// knows file and line; Interrupted when the user asks to stop while a pipe has nothing to give.
  virtual std::size_t read(std::span<char> target) = 0;
};

/// Opens a file, or standard input for "-"; gzip (RFC 1952, also several members) is recognised by its first
/// bytes and unpacked. Throws InputError naming the file when it is missing, a folder or unreadable.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

/// The limit of unpacking gzip: this many bytes and `ratio` times the packed bytes read so far.
struct UnpackLimit {
  std::uint64_t bytes, ratio;
};

/// As above, but read() throws InputError once gzip unpacks to more than `limit`.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path, const UnpackLimit& limit);

/// All that open_byte_source(path) gives; every InputError names the file. Gzip that unpacks to more than 64
/// MiB and fifty times its size is refused: a file of a few megabytes could fill the memory.
std::string read_all(const std::string& path);

}  // namespace headroom::io
