#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

namespace molgauge::options {

/// A short list of names.
class Names {
 public:
  static constexpr std::size_t kMax = 8;

  constexpr Names() = default;
  constexpr Names(std::initializer_list<std::string_view> names)
      : Names(std::span(names.begin(), names.size())) {}
  constexpr explicit Names(std::span<const std::string_view> names) : count_(names.size()) {
    std::size_t i = 0;
    for (const std::string_view name : names) {
      names_.at(i++) = name;
    }
  }

  constexpr const std::string_view* begin() const { return names_.data(); }
  constexpr const std::string_view* end() const { return names_.data() + count_; }
  constexpr bool empty() const { return count_ == 0; }

 private:
  std::array<std::string_view, kMax> names_;
  std::size_t count_ = 0;
};

}  // namespace molgauge::options
