#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/io/bytes/crc32.h"

namespace molgauge::test {

inline void append_number(std::string& text, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    text += static_cast<char>(number);
    number >>= 8;
  }
}

/// A stored entry as the headers describe it. Tests change single fields.
struct StoredEntry {
  std::string name, content;
  std::uint16_t method = 0, flags = 0;
  std::uint32_t claimed_size = static_cast<std::uint32_t>(content.size());
  std::uint32_t crc = io::crc32(std::as_bytes(std::span(content)));
};

inline std::string common_fields(const StoredEntry& entry) {
  std::string text;
  append_number(text, 20, 2);
  append_number(text, entry.flags, 2);
  append_number(text, entry.method, 2);
  append_number(text, 0, 4);
  append_number(text, entry.crc, 4);
  append_number(text, entry.content.size(), 4);
  append_number(text, entry.claimed_size, 4);
  append_number(text, entry.name.size(), 2);
  append_number(text, 0, 2);
  return text;
}

inline std::string make_zip(const std::vector<StoredEntry>& entries, bool overlap = false) {
  std::string file, directory;
  std::size_t first_offset = 0;
  for (const StoredEntry& entry : entries) {
    const std::size_t offset = overlap ? first_offset : file.size();
    file += "PK\x03\x04" + common_fields(entry) + entry.name + entry.content;
    directory += "PK\x01\x02";
    append_number(directory, 20, 2);
    directory += common_fields(entry);
    append_number(directory, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
    append_number(directory, offset, 4);
    directory += entry.name;
  }
  const std::size_t directory_offset = file.size();
  file += directory + "PK\x05\x06";
  append_number(file, 0, 4);
  append_number(file, entries.size(), 2);
  append_number(file, entries.size(), 2);
  append_number(file, directory.size(), 4);
  append_number(file, directory_offset, 4);
  append_number(file, 0, 2);
  return file;
}

}  // namespace molgauge::test
