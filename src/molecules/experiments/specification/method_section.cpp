#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/experiments/specification/method_kinds.h"
#include "molecules/experiments/specification/spec_sections.h"

namespace molgauge::experiment {
namespace {

/// Checks the names of options and the types of their values.
void check_options(const MethodKind& of, const std::string& kind, const std::vector<OptionRange>& options,
                   const TomlTable& table) {
  for (const auto& option : options) {
    for (const auto& value : option.values) {
      try {
        of.check_option(kind, option.name, value);
      } catch (const UsageError& problem) {
        table.refuse_key(option.name, problem.what());
      }
    }
  }
}

}  // namespace

/// Reads a name. It must be usable as a folder and as a cell of a table.
std::string read_name(TomlTable& table, const char* what) {
  const auto name = table.find<std::string>("name");
  if (!name || name->empty()) {
    refuse(table.file(), table.line(), fmt::format("this {} has no name. Add name = \"...\"", what));
  }
  const bool plain = std::all_of(name->begin(), name->end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  if (!plain || name->front() == '.' || name->front() == '-') {
    table.refuse_key("name", fmt::format("'{}' cannot be the name of a folder. Use letters, digits, '-', '_' "
                                         "and '.', and begin with a letter, a digit or '_'",
                                         *name));
  }
  return *name;
}

std::vector<OptionRange> read_options(TomlTable& table, const MethodKind& of, const std::string& kind) {
  std::vector<OptionRange> options;
  for (const auto& name : table.rest()) {
    options.push_back({name, table.distinct_values(name)});
  }
  check_options(of, kind, options, table);
  return options;
}

MethodSpec read_method(TomlTable& table) {
  MethodSpec method;
  method.line = table.line();
  method.name = read_name(table, "method");
  method.kind = table.find<std::string>("kind").value_or(method.kind);
  for (const auto& encoder : table.distinct_values("encoders")) {
    method.encoders.push_back(options::to_text(encoder));
  }
  method.options = read_options(table, method_kind(method.kind), method.kind);
  return method;
}

HardPairSpec read_hard_pairs(TomlTable& table) {
  constexpr std::uint64_t kMaxPairs = 10'000'000;
  HardPairSpec hard_pairs{.line = table.line()};
  const std::uint64_t pairs = table.find_count("pairs").value_or(hard_pairs.pairs);
  if (pairs == 0 || pairs > kMaxPairs) {
    table.refuse_key("pairs", fmt::format("'pairs' must be between 1 and {}", kMaxPairs));
  }
  hard_pairs.pairs = pairs;
  table.require_nothing_else("pairs");
  return hard_pairs;
}

}  // namespace molgauge::experiment
