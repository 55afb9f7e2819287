#include "base/core/files/output_file.h"

#include <cerrno>
#include <utility>

#include "base/core/error.h"
#include "base/core/files/file_calls.h"

namespace molgauge {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path, std::string shown)
    : shown_(std::move(shown)), descriptor_(file_calls().create(path)) {
  if (descriptor_ < 0) {
    throw system_error(shown_, "write", errno);
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) {
    file_calls().close(descriptor_);
  }
}

void OutputFile::append(std::span<const std::byte> bytes) {
  if (gathered_.size() + bytes.size() > kPiece) {
    flush();
  }
  if (bytes.size() >= kPiece) {
    write_all(bytes, written_);
    written_ += bytes.size();
  } else {
    gathered_.insert(gathered_.end(), bytes.begin(), bytes.end());
  }
}

void OutputFile::overwrite(std::uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  write_all(bytes, offset);
}

void OutputFile::finish() {
  flush();
  // Network file systems may report a failed write only when the file is closed.
  if (file_calls().close(std::exchange(descriptor_, -1)) != 0) {
    throw system_error(shown_, "write", errno);
  }
}

void OutputFile::flush() {
  write_all(gathered_, written_);
  written_ += gathered_.size();
  gathered_.clear();
}

void OutputFile::write_all(std::span<const std::byte> bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = file_calls().write(descriptor_, bytes, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      throw system_error(shown_, "write", count == 0 ? ENOSPC : errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

}  // namespace molgauge
