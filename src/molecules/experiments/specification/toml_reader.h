#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "base/options/range.h"
#include "base/options/value.h"

/// Reads TOML. Error messages contain the file, the line and a remedy. Only the sources that read
/// specifications include this header.
namespace molgauge::experiment {

/// Throws InputError "FILE:LINE: reason".
[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& reason);
std::size_t line_of(const toml::node& node);

/// A table that keeps track of its keys. A key that was never requested is unknown.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  std::size_t line() const { return line_of(table_); }
  bool has(const std::string& key) const { return table_.contains(key); }
  const std::string& file() const { return file_; }

  /// Returns the value of a key, if it exists. Throws InputError if it has another type. Types: std::string,
  /// bool, std::int64_t, double.
  template <typename Value>
  std::optional<Value> find(const std::string& key) {
    const toml::node* const node = take(key);
    if (node == nullptr) {
      return std::nullopt;
    }
    auto value = node->value_exact<Value>();
    if (!value) {
      refuse(file_, line_of(*node), "'" + key + "' is " + kind_of(*node) + ", which does not fit here");
    }
    return value;
  }

  /// Returns a non-negative integer. Throws InputError if the value is outside `range`.
  std::optional<std::uint64_t> find_count(const std::string& key,
                                          const std::optional<options::NumericRange>& range = {});
  /// Returns one value, or a list of values. Each is a bool, number or text.
  std::vector<options::Value> values(const std::string& key);
  /// Returns the same as values(). Throws InputError if two values are equal (1 and 1.0), because equal
  /// values would cause two equal runs.
  std::vector<options::Value> distinct_values(const std::string& key);
  /// Returns the table or tables under a key, or an empty list if there are none.
  std::vector<TomlTable> tables(const std::string& key);
  /// The table under a key, if it exists. Throws InputError if there are several tables.
  std::optional<TomlTable> table(const std::string& key);
  /// The line of a key, or the line of the table if the key is missing.
  std::size_t line_of_key(const std::string& key) const;
  /// Returns the keys that were not requested yet.
  std::vector<std::string> rest() const;
  /// Throws InputError for a key that was not requested. `known`: list of the known keys, for the message.
  void require_nothing_else(const std::string& known) const;
  [[noreturn]] void refuse_key(const std::string& key, const std::string& reason) const;

 private:
  const toml::node* take(const std::string& key);
  static std::string kind_of(const toml::node& node);

  const toml::table& table_;
  std::string file_;
  std::set<std::string> taken_;
};

}  // namespace molgauge::experiment
