#include "base/io/tensors/npy_header.h"

#include <array>
#include <charconv>
#include <cstring>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/little_endian.h"

namespace molgauge::io {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::uint64_t kPreambleBytes = 8;                       // magic and version
constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 20;  // NumPy accepts up to 10,000 bytes

struct Preamble {
  std::uint64_t header_offset, header_bytes;
};

Preamble read_preamble(const RandomAccess& file) {
  std::array<std::byte, kPreambleBytes> start;
  if (file.size() < start.size()) {
    throw InputError(file.name() + ": is not a NumPy array file (.npy), or is truncated");
  }
  file.read(0, start);
  if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0) {
    throw InputError(file.name() + ": is not a NumPy array file (.npy)");
  }
  const int version = std::to_integer<int>(start[6]);
  if (version == 1) {
    const auto length = file.read(kPreambleBytes, 2);
    return {kPreambleBytes + 2, load_little_endian<std::uint16_t>(length.data())};
  }
  if (version == 2 || version == 3) {
    const auto length = file.read(kPreambleBytes, 4);
    return {kPreambleBytes + 4, load_little_endian<std::uint32_t>(length.data())};
  }
  throw InputError(file.name() + ": has version " + std::to_string(version) +
                   " of the .npy format. Versions 1 to 3 are known");
}

// A dictionary literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  NpyHeader parse() {
    NpyHeader header;
    std::set<std::string> seen;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (!seen.insert(key).second) {
        fail("names '" + key + "' twice");
      }
      read_value(key, header);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty() || seen.size() != 3) {
      fail("is not that of one array");
    }
    return header;
  }

 private:
  void read_value(const std::string& key, NpyHeader& header) {
    if (key == "descr") {
      header.description = description();
    } else if (key == "fortran_order") {
      header.fortran_order = boolean();
    } else if (key == "shape") {
      header.shape = shape();
    } else {
      fail("has the unknown key '" + key + "'");
    }
  }

  std::string description() {
    skip_space();
    if (!rest_.empty() && rest_.front() == '[') {
      throw InputError(file_ + ": holds records with fields. Save each field as an array of its own");
    }
    return quoted();
  }

  bool boolean() {
    skip_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail("has no True or False for 'fortran_order'");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!accept(')')) {
      extents.push_back(number());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::int64_t number() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure != std::errc()) {
      fail("has no proper shape");
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string quoted() {
    expect('\'');
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) {
      fail("has an open quote");
    }
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return text;
  }

  void skip_space() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) {
      rest_.remove_prefix(1);
    }
  }

  bool accept(char wanted) {
    skip_space();
    if (rest_.empty() || rest_.front() != wanted) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) {
      fail(std::string("lacks a '") + wanted + "'");
    }
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(file_ + ": the NumPy header " + reason + ". The file is damaged");
  }

  std::string_view rest_;
  const std::string& file_;
};

/// `type`: the NumPy name of the type. `shape`: a tuple in Python notation.
std::string header_of(const std::string& type, const std::string& shape) {
  constexpr std::size_t kDictionaryBytes = 128 - 10;  // in NumPy, the numbers start at a multiple of 64
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  dictionary.resize(kDictionaryBytes - 1, ' ');
  const char preamble[] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<char>(kDictionaryBytes), 0};
  return std::string(preamble, sizeof preamble) + dictionary + '\n';
}

}  // namespace

NpyHeader read_npy_header(const RandomAccess& file) {
  const Preamble preamble = read_preamble(file);
  if (preamble.header_bytes > kLongestHeader) {
    throw InputError(fmt::format("{}: its header would have {} bytes, more than {}. It is damaged",
                                 file.name(), preamble.header_bytes, kLongestHeader));
  }
  const auto text = file.read(preamble.header_offset, preamble.header_bytes);
  NpyHeader header = parse_npy_header({reinterpret_cast<const char*>(text.data()), text.size()}, file.name());
  header.data_offset = preamble.header_offset + preamble.header_bytes;
  return header;
}

NpyHeader parse_npy_header(std::string_view text, const std::string& file) {
  return HeaderParser(text, file).parse();
}

std::string format_npy_header(std::size_t rows, std::size_t columns) {
  return format_npy_header(rows, columns, DataType::float32);
}

std::string format_npy_header(std::size_t rows, std::size_t columns, DataType type) {
  if (type != DataType::float16 && type != DataType::float32) {
    throw std::logic_error("no header is written for an array of " + to_string(type));
  }
  return header_of(type == DataType::float16 ? "<f2" : "<f4", fmt::format("({}, {})", rows, columns));
}

std::string format_npy_header(std::size_t count) { return header_of("<f4", fmt::format("({},)", count)); }

std::string format_integer_header(std::size_t count) { return header_of("<i8", fmt::format("({},)", count)); }

std::string format_text_header(std::size_t characters) {
  return header_of(fmt::format("<U{}", characters), "()");
}

}  // namespace molgauge::io
