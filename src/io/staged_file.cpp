#include "io/staged_file.h"

#include <cerrno>
#include <system_error>

#include <unistd.h>

#include "core/atomic_file.h"
#include "core/error.h"

namespace headroom::io {

StagedFile::StagedFile(std::filesystem::path path) : path_(std::move(path)) {
  const auto folder = path_.has_parent_path() ? path_.parent_path() : std::filesystem::path(".");
  staged_ = folder / ("." + path_.filename().string() + "." + std::to_string(getpid()) + ".part");
  stream_.reset(std::fopen(staged_.c_str(), "wbe"));
  if (stream_ == nullptr) {
    fail("write");
  }
}

StagedFile::~StagedFile() {
  std::error_code ignored;
  std::filesystem::remove(staged_, ignored);
}

void StagedFile::append(std::span<const std::byte> bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), stream_.get()) != bytes.size()) {
    fail("write");
  }
}

void StagedFile::append(std::string_view text) { append(std::as_bytes(std::span(text))); }

void StagedFile::overwrite(std::uint64_t offset, std::string_view text) {
  if (std::fseek(stream_.get(), static_cast<long>(offset), SEEK_SET) != 0) {
    fail("write");
  }
  append(text);
  if (std::fseek(stream_.get(), 0, SEEK_END) != 0) {
    fail("write");
  }
}

void StagedFile::commit() {
  // Closed here rather than by the deleter: the last write error shows only now.
  if (std::fclose(stream_.release()) != 0) {
    fail("write");
  }
  replace_file(path_,
               [&](const std::filesystem::path& temporary) { std::filesystem::rename(staged_, temporary); });
}

void StagedFile::fail(const std::string& attempt) const {
  throw system_error(path_.string(), attempt, errno);
}

}  // namespace headroom::io
