#include "server/row_log.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/temporary_file.h"
#include "base/core/text/hexadecimal.h"

namespace molgauge::serve {
namespace {

constexpr std::uint64_t kMaxBytesOfSlice = std::uint64_t{16} << 20;
constexpr std::size_t kRowPiece = std::size_t{256} << 10;

std::span<const std::byte> bytes_of_rows(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Calls visit(line) for each complete line of a file, including its line feed. Does nothing if the file does
/// not exist. Throws Error if the file cannot be read to its end.
template <typename Visit>
void for_each_line(const std::filesystem::path& file, Visit visit) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) {
    if (errno == ENOENT) {
      return;
    }
    throw system_error(file.string(), "read", errno);
  }
  std::string text, piece(kRowPiece, '\0');
  ssize_t count = 0;
  while ((count = ::read(descriptor, piece.data(), piece.size())) != 0) {
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      break;
    }
    text.append(piece.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      visit(std::string_view(text).substr(begin, end + 1 - begin));
    }
    text.erase(0, begin);
  }
  const int error_number = errno;
  ::close(descriptor);
  if (count < 0) {
    throw system_error(file.string(), "read", error_number);
  }
}

/// A file descriptor from file_calls(). The destructor closes it.
class Opened {
 public:
  Opened(const std::filesystem::path& file, std::uint64_t size)
      : file_(file), descriptor_(file_calls().open_to_append(file, static_cast<off_t>(size))) {
    if (descriptor_ < 0) {
      throw system_error(file.string(), "write", errno);
    }
  }
  ~Opened() {
    if (descriptor_ >= 0) {
      file_calls().close(descriptor_);
    }
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  void write(std::string_view text, std::uint64_t offset) const {
    for (auto bytes = bytes_of_rows(text); !bytes.empty();) {
      const ssize_t count = file_calls().write(descriptor_, bytes, static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count <= 0) {
        throw system_error(file_.string(), "write", count == 0 ? ENOSPC : errno);
      }
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      offset += static_cast<std::uint64_t>(count);
    }
  }
  /// Throws if the write fails. Network file systems report a failed write only when the file is closed.
  void close() {
    if (file_calls().close(std::exchange(descriptor_, -1)) != 0) {
      throw system_error(file_.string(), "write", errno);
    }
  }

 private:
  const std::filesystem::path& file_;
  int descriptor_;
};

}  // namespace

RowLog::RowLog(std::filesystem::path file) : file_(std::move(file)) {
  for_each_line(file_, [&](std::string_view line) {
    starts_.push_back(bytes_);
    bytes_ += line.size();
    hash_->append(bytes_of_rows(line));
  });
}

std::size_t RowLog::rows() const {
  const std::lock_guard lock(mutex_);
  return starts_.size();
}

std::uint64_t RowLog::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void RowLog::append(std::string_view lines) {
  const std::uint64_t end = bytes();
  Opened file(file_, end);
  file.write(lines, end);
  file.close();
  const std::lock_guard lock(mutex_);
  for (std::size_t at = 0; at < lines.size();) {
    starts_.push_back(bytes_ + at);
    at = lines.find('\n', at) + 1;
  }
  bytes_ += lines.size();
  hash_->append(bytes_of_rows(lines));
}

void RowLog::clear() {
  const std::lock_guard lock(mutex_);
  if (std::filesystem::exists(file_) && file_calls().remove(file_) != 0) {
    throw system_error(file_.string(), "remove", errno);
  }
  starts_.clear();
  bytes_ = 0;
  hash_ = std::make_unique<GrowingHash128>();
}

RowLog::Seal RowLog::seal() {
  Opened file(file_, bytes());
  file.close();
  if (file_calls().sync_file(file_) != 0 || file_calls().sync_folder(folder_of(file_)) != 0) {
    throw system_error(file_.string(), "sync", errno);
  }
  const std::lock_guard lock(mutex_);
  return {starts_.size(), bytes_, to_hexadecimal(hash_->value())};
}

RowLog::Slice RowLog::slice(std::size_t first, std::size_t count) const {
  std::uint64_t begin = 0, end = 0;
  std::size_t next = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto start_of = [&](std::size_t row) { return row < starts_.size() ? starts_[row] : bytes_; };
    first = std::min(first, starts_.size());
    next = std::min(first + count, starts_.size());
    begin = start_of(first);
    if (start_of(next) - begin > kMaxBytesOfSlice) {
      const auto beyond = std::upper_bound(starts_.begin() + static_cast<std::ptrdiff_t>(first),
                                           starts_.end(), begin + kMaxBytesOfSlice);
      next = std::max(first + 1, static_cast<std::size_t>(beyond - starts_.begin()) - 1);
    }
    end = start_of(next);
  }
  Slice slice{std::string(static_cast<std::size_t>(end - begin), '\0'), next};
  if (!slice.lines.empty()) {
    std::ifstream file(file_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(begin));
    file.read(slice.lines.data(), static_cast<std::streamsize>(slice.lines.size()));
    if (!file || slice.lines.back() != '\n') {
      throw Error(file_.string() + ": cannot be read, or is damaged. Send the list again");
    }
  }
  return slice;
}

std::string difference_from(const RowLog::Seal& seal, const std::filesystem::path& file) {
  std::error_code absent;
  const std::uint64_t bytes = std::filesystem::file_size(file, absent);
  if (absent) {
    return seal.rows == 0 ? "" : "its rows are gone";
  }
  if (bytes != seal.bytes) {
    return fmt::format("its rows have {} bytes, and {} were written", bytes, seal.bytes);
  }
  const auto checksum = checksum_of_content(file);
  return checksum && (seal.checksum.empty() || *checksum == seal.checksum)
             ? ""
             : "its rows are not those that were written";
}

}  // namespace molgauge::serve
