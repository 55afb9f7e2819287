#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"

namespace molgauge::test {

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

inline std::vector<std::byte> bytes_of_file(const std::filesystem::path& path) {
  return bytes_of(read_file(path));
}

inline void write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// The message of the error of type Failure that `act` throws. Fails the test if it throws none.
template <typename Failure = InputError, typename Act>
std::string error_of(Act act) {
  try {
    act();
  } catch (const Failure& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace molgauge::test
