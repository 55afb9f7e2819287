#include "base/command_line/options_json.h"

#include <array>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/options/config_keys.h"

namespace molgauge::cli {
namespace {

using Json = nlohmann::ordered_json;

using TableOfCommand = std::pair<const CLI::App*, NotedTable>;

std::vector<TableOfCommand>& noted_tables() {
  static std::vector<TableOfCommand> tables;
  return tables;
}

/// Returns the name of a command after the names of its parents, for example "memory plan train".
std::string verb_of(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  const bool is_top = parent == nullptr || parent->get_parent() == nullptr;
  return is_top ? command.get_name() : verb_of(*parent) + " " + command.get_name();
}

const char* type_of(const options::ConstSlot& slot) {
  // The names of the types, in the order of the alternatives of options::ConstSlot.
  static constexpr std::array kTypes = {"flag",   "integer", "number", "text", "integer",
                                        "number", "text",    "list",   "text"};
  static_assert(kTypes.size() == std::variant_size_v<options::ConstSlot>);
  return kTypes[slot.index()];
}

Json list_of(const options::Names& names) {
  Json list = Json::array();
  for (const std::string_view name : names) {
    list.push_back(name);
  }
  return list;
}

Json json_of(const options::Condition& condition) {
  return {{"option", condition.option},
          {"values", list_of(condition.values)},
          {"is_wanted", condition.is_wanted},
          {"remark", condition.remark}};
}

/// Returns the default of the option. The default of a flag is false, even for a flag that clears a field.
Json default_of(const options::Option& option, const options::ConstSlot& slot) {
  return option.clears ? Json(false) : Json(options::to_json(slot));
}

Json json_of(const options::Option& option, const options::View& request) {
  const options::ConstSlot slot = request.slot(option);
  Json object = {{"name", option.name},
                 {"type", type_of(slot)},
                 {"group", option.group == options::Group::none ? "" : options::title(option.group)},
                 {"help", option.help},
                 {"default", default_of(option, slot)},
                 {"is_positional", option.is_positional()},
                 {"is_required", option.is_required},
                 {"is_common", option.is_common},
                 {"unit", option.unit},
                 {"range", option.range ? option.range->interval() : ""},
                 {"choices", list_of(option.words())},
                 {"needs", list_of(option.needs)},
                 {"excludes", list_of(option.excludes)},
                 {"conditions", Json::array()},
                 {"shown_with", nullptr}};
  for (const options::Condition& condition : option.conditions) {
    if (!condition.option.empty()) {
      object["conditions"].push_back(json_of(condition));
    }
  }
  if (!option.shown_with.option.empty()) {
    object["shown_with"] = json_of(option.shown_with);
  }
  return object;
}

}  // namespace

void note_table(const CLI::App& command, const options::View& request, bool in_plan_only) {
  noted_tables().push_back({&command, {request, in_plan_only}});
}

std::vector<NotedTable> tables_of(const CLI::App& command) {
  std::vector<NotedTable> tables;
  for (const auto& [owner, table] : noted_tables()) {
    if (owner == &command) {
      tables.push_back(table);
    }
  }
  return tables;
}

std::string options_json() {
  Json verbs = Json::object();
  for (const auto& [command, table] : noted_tables()) {
    Json& rows = verbs[verb_of(*command)];
    for (const options::Option& option : table.request.options) {
      if (option.is_in_plan || !table.in_plan_only) {
        rows.push_back(json_of(option, table.request));
      }
    }
  }
  return json_text(verbs);
}

}  // namespace molgauge::cli
