#include "molecules/encoders/frozen_activations.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/file_calls.h"

namespace molgauge::encoders {
namespace {

[[noreturn]] void fail(const std::filesystem::path& folder, const char* action, int problem) {
  throw Error(folder.string() + ": cannot " + action + " the temporary file of the frozen layers' output: " +
              std::strerror(problem) + ". Make room on that disk, or allow more memory");
}

int open_unnamed(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
  if (const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0) {
    return file;
  }
#endif
  std::string name = (folder / ".frozen-layers-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) {
    fail(folder, "make", errno);
  }
  unlink(name.c_str());
  return file;
}

}  // namespace

FrozenActivations::FrozenActivations(std::filesystem::path folder)
    : folder_(std::move(folder)), file_(open_unnamed(folder_)) {}

FrozenActivations::~FrozenActivations() {
  if (file_ >= 0) {
    close(file_);
  }
}

std::size_t FrozenActivations::append(std::span<const float> first, std::span<const float> second) {
  List list;
  list.length = first.size() + second.size();
  if (!is_on_disk()) {
    list.numbers = ops::Floats{static_cast<std::int64_t>(list.length)};
    std::copy(second.begin(), second.end(),
              std::copy(first.begin(), first.end(), list.numbers.numbers().begin()));
  } else {
    {
      const std::scoped_lock lock(mutex_);
      list.offset = end_;
      end_ += list.length * sizeof(float);
    }
    write(first, list.offset);
    write(second, list.offset + first.size_bytes());
  }
  const std::scoped_lock lock(mutex_);
  lists_.push_back(std::move(list));
  return lists_.size() - 1;
}

void FrozenActivations::write(std::span<const float> numbers, std::uint64_t offset) const {
  auto bytes = std::as_bytes(numbers);
  while (!bytes.empty()) {
    const ssize_t written = file_calls().write(file_, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      fail(folder_, "write", written < 0 ? errno : ENOSPC);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

FrozenActivations::List FrozenActivations::find(std::size_t list) const {
  const std::scoped_lock lock(mutex_);
  return lists_.at(list);
}

void FrozenActivations::read(std::size_t list, std::size_t begin, std::span<float> to) const {
  const List found = find(list);
  if (begin > found.length || to.size() > found.length - begin) {
    throw std::out_of_range("FrozenActivations::read: beyond the end of a list");
  }
  if (found.numbers.defined()) {
    std::copy_n(found.numbers.data() + begin, to.size(), to.data());
    return;
  }
  auto bytes = std::as_writable_bytes(to);
  std::uint64_t offset = found.offset + begin * sizeof(float);
  while (!bytes.empty()) {
    const ssize_t got = pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      fail(folder_, "read", got < 0 ? errno : EIO);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
}

std::size_t FrozenActivations::count() const {
  const std::scoped_lock lock(mutex_);
  return lists_.size();
}

std::size_t FrozenActivations::length(std::size_t list) const { return find(list).length; }

}  // namespace molgauge::encoders
