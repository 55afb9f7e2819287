#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::test {

inline std::string write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file.string();
}

inline std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The message of the InputError that a call throws. Fails the test if it throws none.
template <typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& failure) {
    return failure.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

}  // namespace molgauge::test
