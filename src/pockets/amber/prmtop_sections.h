#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace molgauge::pocket {

/// The sections of a topology. A section has %FLAG, %FORMAT with a width in characters, and lines with fields
/// of that width.
class PrmtopSections {
 public:
  /// Reads a file. Throws InputError naming it and the line.
  explicit PrmtopSections(std::string file);

  bool has(const std::string& flag) const { return sections_.contains(flag); }

  // Returns the numbers of a section. Throws InputError with file, flag and reason if the section is missing,
  // if its length is not `count`, or if a field is not a number of this type.
  std::vector<std::int64_t> integers(const std::string& flag, std::size_t count) const;
  std::vector<double> numbers(const std::string& flag, std::size_t count) const;
  /// Does the same as integers(), but accepts any number of values that is at least `least`.
  std::vector<std::int64_t> integers_from(const std::string& flag, std::size_t least) const;

  /// Throws InputError: "FILE: %FLAG FLAG: reason".
  [[noreturn]] void fail(const std::string& flag, const std::string& reason) const;

 private:
  struct Section {
    std::size_t line = 0;  ///< line of %FLAG
    std::size_t width = 0;
    char kind = 0;  ///< type of the fields: A, I or E
    std::vector<std::string> fields;
  };
  void read();
  const Section& section(const std::string& flag, std::size_t count) const;
  const Section& require(const std::string& flag) const;
  template <typename Number>
  std::vector<Number> convert(const std::string& flag, const Section& section) const;

  std::string file_;
  std::map<std::string, Section> sections_;
};

}  // namespace molgauge::pocket
