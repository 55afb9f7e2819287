#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace molgauge::allocator {

/// Functions that parse sizes in error messages. PyTorch uses powers of 1024, even for "MB" and "GB".
/// Each function returns nothing if the phrase is absent, or if no size of at most one petabyte follows.

std::string_view trimmed_start(std::string_view text);
std::string_view trimmed_end(std::string_view text);
bool contains(std::string_view text, std::string_view part);

/// Parses "12.50 MiB" at the beginning of a text.
std::optional<std::uint64_t> size_at(std::string_view text);
/// Whether a text begins with a size of more than one petabyte, for example 17179869184.00 GiB. Such a number
/// is the result of an overflow or of a wrong shape.
bool is_oversized(std::string_view text);

/// The text after a phrase, or an empty text.
std::string_view text_after(std::string_view text, std::string_view phrase);
/// The text that begins with the number before a phrase, for example with "9.28 GiB free". Empty if the
/// phrase is absent.
std::string_view number_before(std::string_view text, std::string_view phrase);

std::optional<std::uint64_t> size_after(std::string_view text, std::string_view phrase);
std::optional<std::uint64_t> size_before(std::string_view text, std::string_view phrase);
/// Parses a line of cudaMallocAsync, for example "Device limit            : 8.00 GiB".
std::optional<std::uint64_t> size_in_line(std::string_view text, std::string_view label);
std::optional<std::uint64_t> count_after(std::string_view text, std::string_view phrase);

}  // namespace molgauge::allocator
