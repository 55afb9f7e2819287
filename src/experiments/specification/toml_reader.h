#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <toml++/toml.h>

#include "options/range.h"
#include "options/value.h"

/// Reading TOML with errors that name file, line and fix. For the sources that read specifications.
namespace headroom::experiment {

/// Throws InputError "FILE:LINE: reason".
[[noreturn]] void refuse(const std::string& file, std::size_t line, const std::string& reason);
std::size_t line_of(const toml::node& node);

/// A table that accounts for all its keys: a key that was not asked for is unknown.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  std::size_t line() const { return line_of(table_); }
  bool has(const std::string& key) const { return table_.contains(key); }
  const std::string& file() const { return file_; }

  /// The value if the key is there; throws InputError when it is of another kind. Kinds: std::string, bool,
  /// std::int64_t, double.
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

  /// A whole number that is not negative, and in the range where one is given.
  std::optional<std::uint64_t> find_count(const std::string& key,
                                          const std::optional<options::NumericRange>& range = {});
  /// One value, or a list of values, each a bool, number or text.
  std::vector<options::Value> values(const std::string& key);
  /// As values(); throws InputError when two are one value (1 and 1.0), which would be the same run twice.
  std::vector<options::Value> distinct_values(const std::string& key);
  /// The table or tables under a key; none where it is absent.
  std::vector<TomlTable> tables(const std::string& key);
  /// The table under a key, if it is there; throws InputError when there are several.
  std::optional<TomlTable> table(const std::string& key);
  /// The line of a key, of the table where it is absent.
  std::size_t line_of_key(const std::string& key) const;
  /// Keys that have not been asked for yet, unchanged.
  std::vector<std::string> rest() const;
  /// Throws InputError on a key that has not been asked for. `known`: for the message.
  void require_nothing_else(const std::string& known) const;
  [[noreturn]] void refuse_key(const std::string& key, const std::string& reason) const;

 private:
  const toml::node* take(const std::string& key);
  static std::string kind_of(const toml::node& node);

  const toml::table& table_;
  std::string file_;
  std::set<std::string> taken_;
};

}  // namespace headroom::experiment
