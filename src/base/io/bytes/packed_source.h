#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/zip.h"

namespace molgauge::io {

/// Whether a file that begins with these bytes may be compressed with bzip2, xz, zstd or zip. Fewer than six
/// bytes are enough to exclude it.
bool may_be_packed(std::string_view start);

/// Unpacks a file. `start`: its first six bytes or more, or the whole file. `rest`: the bytes after them.
/// Returns nothing if the file is not compressed with bzip2, xz, zstd or zip. A zip archive must contain one
/// file (zipped_file()), and is read into memory. read() throws InputError if the data are damaged.
std::unique_ptr<ByteSource> open_packed(const std::string& start, std::unique_ptr<ByteSource>& rest);

/// The name of the only file in an archive. Folders and the files that macOS adds do not count. Throws
/// InputError with the names of the files if there are several, or none.
std::string zipped_file(const ZipArchive& archive);

/// All bytes of a source. Throws InputError if there are more than `most`.
std::vector<std::byte> all_bytes(ByteSource& source, std::uint64_t most = std::uint64_t{1} << 30);

/// A source that owns its bytes.
std::unique_ptr<ByteSource> source_of(std::vector<std::byte> bytes);

}  // namespace molgauge::io
