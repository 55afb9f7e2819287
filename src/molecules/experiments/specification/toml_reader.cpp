#include "molecules/experiments/specification/toml_reader.h"

#include <sstream>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::experiment {

void refuse(const std::string& file, std::size_t line, const std::string& reason) {
  throw InputError(fmt::format("{}:{}: {}", file, line, reason));
}

std::size_t line_of(const toml::node& node) { return node.source().begin.line; }

std::string TomlTable::kind_of(const toml::node& node) {
  std::ostringstream kind;
  kind << node.type();
  return "of the kind " + kind.str();
}

const toml::node* TomlTable::take(const std::string& key) {
  taken_.insert(key);
  return table_.get(key);
}

std::optional<std::uint64_t> TomlTable::find_count(const std::string& key,
                                                   const std::optional<options::NumericRange>& range) {
  const auto number = find<std::int64_t>(key);
  if (number && *number < 0) {
    refuse_key(key, fmt::format("'{}' is negative", key));
  }
  if (number && range && !range->holds(static_cast<std::uint64_t>(*number))) {
    refuse_key(key, fmt::format("'{}' is {}. It takes {}", key, *number, range->words()));
  }
  return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

std::vector<options::Value> TomlTable::values(const std::string& key) {
  const toml::node* const node = take(key);
  std::vector<options::Value> values;
  const auto add = [&](const toml::node& single) {
    if (const auto flag = single.value_exact<bool>()) {
      values.emplace_back(*flag);
    } else if (const auto whole = single.value_exact<std::int64_t>()) {
      values.emplace_back(*whole);
    } else if (const auto number = single.value_exact<double>()) {
      values.emplace_back(*number);
    } else if (const auto text = single.value_exact<std::string>()) {
      values.emplace_back(*text);
    } else {
      refuse(file_, line_of(single), fmt::format("'{}' contains something {}", key, kind_of(single)));
    }
  };
  if (node == nullptr) {
    return values;
  }
  if (const toml::array* const list = node->as_array()) {
    for (const auto& single : *list) {
      add(single);
    }
    if (values.empty()) {
      refuse(file_, line_of(*node), fmt::format("'{}' is an empty list", key));
    }
  } else {
    add(*node);
  }
  return values;
}

std::vector<options::Value> TomlTable::distinct_values(const std::string& key) {
  auto all = values(key);
  std::set<std::string> texts;
  for (const auto& value : all) {
    if (!texts.insert(options::to_text(value)).second) {
      refuse_key(key, fmt::format("'{}' contains {} twice", key, options::to_text(value)));
    }
  }
  return all;
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  const toml::node* const node = take(key);
  std::vector<TomlTable> found;
  if (node == nullptr) {
    return found;
  }
  if (const toml::table* const single = node->as_table()) {
    found.emplace_back(*single, file_);
    return found;
  }
  const toml::array* const list = node->as_array();
  if (list == nullptr || !list->is_array_of_tables()) {
    refuse(file_, line_of(*node), fmt::format("'{}' is not a table. Write [[{}]]", key, key));
  }
  for (const auto& single : *list) {
    found.emplace_back(*single.as_table(), file_);
  }
  return found;
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  const auto found = tables(key);
  if (found.size() > 1) {
    refuse(file_, found[1].line(), fmt::format("there are two sections [{}]. Write only one", key));
  }
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<std::string> TomlTable::rest() const {
  std::vector<std::string> keys;
  for (const auto& entry : table_) {
    const std::string key(entry.first.str());
    if (!taken_.contains(key)) {
      keys.push_back(key);
    }
  }
  return keys;
}

void TomlTable::require_nothing_else(const std::string& known) const {
  for (const auto& key : rest()) {
    refuse_key(key, fmt::format("unknown key '{}'. Available: {}", key, known));
  }
}

std::size_t TomlTable::line_of_key(const std::string& key) const {
  const toml::node* const node = table_.get(key);
  return node == nullptr ? line() : molgauge::experiment::line_of(*node);
}

void TomlTable::refuse_key(const std::string& key, const std::string& reason) const {
  refuse(file_, line_of_key(key), reason);
}

}  // namespace molgauge::experiment
