#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/error.h"

/// What every fuzz target is made of. A target is one file with one LLVMFuzzerTestOneInput: it hands the
/// bytes to a parser and lets pass what the parser's contract allows, an InputError. Everything else (a
/// crash, another exception, too much memory or time) is a finding.
namespace headroom::fuzz {

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

/// Puts the bytes into a file in a folder of this process's own, in memory where the system has such a
/// folder.
std::filesystem::path file_of(const std::uint8_t* data, std::size_t size, const std::string& name);

/// Runs the parser; returns what LLVMFuzzerTestOneInput returns.
template <typename Parser>
int allow_input_errors(Parser parse) {
  try {
    parse();
  } catch (const InputError&) {  // the parser said no, as it should
  }
  return 0;
}

}  // namespace headroom::fuzz
