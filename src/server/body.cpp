#include "server/body.h"

#include <array>
#include <cerrno>
#include <span>

#include <sys/mman.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/input_descriptor.h"

namespace molgauge::serve {
namespace {

constexpr std::string_view kGzip = "\x1f\x8b";

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

void require_call(int result, const std::filesystem::path& path, const char* attempt) {
  if (result != 0) {
    throw system_error(path.string(), attempt, errno);
  }
}

}  // namespace

Body::~Body() {
  if (!file_.empty()) {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
}

std::uint64_t Body::bytes() const {
  return is_in_memory() ? text_.size() : std::filesystem::file_size(file_);
}

bool Body::is_packed() const {
  if (is_in_memory()) {
    return text_.starts_with(kGzip);
  }
  const int descriptor = open_for_reading(file_);
  if (descriptor < 0) {
    throw InputError("the body of the request cannot be read. Send it again");
  }
  std::array<char, kGzip.size()> start{};
  const ssize_t count = ::read(descriptor, start.data(), start.size());
  ::close(descriptor);
  return count == static_cast<ssize_t>(start.size()) && std::string_view(start.data(), start.size()) == kGzip;
}

std::string Body::text() const { return is_in_memory() ? text_ : read_file(file_); }

void Body::move_to(const std::filesystem::path& place) {
  FileCalls& calls = file_calls();
  if (is_in_memory()) {
    OutputFile file(place, place.string());
    file.append(bytes_of(text_));
    file.finish();
    require_call(calls.sync_file(place), place, "sync");
    text_.clear();
    return;
  }
  require_call(calls.sync_file(file_), place, "sync");
  require_call(calls.rename(file_, place), place, "write");
  file_.clear();
}

ReadableBody::ReadableBody(const Body& body) {
  if (!body.is_in_memory()) {
    path_ = body.file_.string();
    return;
  }
  descriptor_ = ::memfd_create("molgauge-body", MFD_CLOEXEC);
  if (descriptor_ < 0) {
    throw system_error("the body of the request", "read", errno);
  }
  for (std::string_view rest = body.text_; !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count <= 0) {
      const int error_number = errno;
      ::close(descriptor_);
      throw system_error("the body of the request", "read", error_number);
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

ReadableBody::~ReadableBody() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

BodyWriter::~BodyWriter() {
  if (!place_.empty()) {
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(place_, ignored);
  }
}

void BodyWriter::append(std::string_view piece) {
  bytes_ += piece.size();
  if (!file_ && bytes_ <= kMaxInMemory) {
    text_ += piece;
    return;
  }
  if (!file_) {
    place_ = new_place_();
    file_.emplace(place_, place_.string());
    file_->append(bytes_of(text_));
    text_ = {};
  }
  file_->append(bytes_of(piece));
}

std::shared_ptr<Body> BodyWriter::finish() {
  if (!file_) {
    return std::make_shared<Body>(std::move(text_));
  }
  file_->finish();
  file_.reset();
  auto body = std::make_shared<Body>(place_);
  place_.clear();
  return body;
}

}  // namespace molgauge::serve
