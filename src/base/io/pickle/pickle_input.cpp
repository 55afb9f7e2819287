#include "base/io/pickle/pickle_input.h"

#include <algorithm>
#include <cstring>

#include "base/core/error.h"

namespace molgauge::io {
namespace {

constexpr std::uint64_t kWindowBytes = 1 << 16;
/// Maximum length of the name of a class. Only names of classes end with a line feed.
constexpr std::size_t kLongestLine = 4096;

}  // namespace

void PickleInput::require(std::uint64_t count) const {
  if (count > file_.size() - position_) {
    throw InputError("the pickle ends too early. The file is truncated or damaged");
  }
}

std::string PickleInput::text_of(std::uint64_t length) {
  require(length);
  std::string text(static_cast<std::size_t>(length), '\0');
  take(std::as_writable_bytes(std::span(text)));
  return text;
}

std::string PickleInput::line() {
  std::string text;
  for (char next = 0; (next = static_cast<char>(number<std::uint8_t>())) != '\n'; text += next) {
    if (text.size() == kLongestLine) {
      throw InputError("the name of a class does not end");
    }
  }
  return text;
}

void PickleInput::take(std::span<std::byte> target) {
  require(target.size());
  while (!target.empty()) {
    const auto available = window();
    const std::size_t count = std::min(available.size(), target.size());
    std::memcpy(target.data(), available.data(), count);
    position_ += count;
    target = target.subspan(count);
  }
}

PickleBytes PickleInput::pass_over(std::uint64_t length) {
  require(length);
  const PickleBytes passed{position_, length};
  position_ += length;
  return passed;
}

std::span<const std::byte> PickleInput::window() {
  if (position_ < window_start_ || position_ - window_start_ >= window_.size()) {
    window_.resize(static_cast<std::size_t>(std::min(kWindowBytes, file_.size() - position_)));
    file_.read(position_, window_);
    window_start_ = position_;
  }
  return std::span(window_).subspan(static_cast<std::size_t>(position_ - window_start_));
}

}  // namespace molgauge::io
