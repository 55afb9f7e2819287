#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/core/error.h"

/// Code that all fuzz targets use. A target is a file with a function LLVMFuzzerTestOneInput, which passes
/// the input bytes to a parser. Parsers may throw InputError. Everything else (a crash, another exception,
/// too much memory or time) is a finding.
namespace molgauge::fuzz {

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// Writes the bytes into a file in a temporary folder of this process, and returns the path of the file. If
/// possible, the folder is on a file system in memory.
std::filesystem::path file_of(const std::uint8_t* data, std::size_t size, const std::string& name);

/// Runs the parser. Returns the result for LLVMFuzzerTestOneInput.
template <typename Parser>
int allow_input_errors(Parser parse) {
  try {
    parse();
  } catch (const InputError&) {  // the parser refused the input, which is allowed
  }
  return 0;
}

}  // namespace molgauge::fuzz
