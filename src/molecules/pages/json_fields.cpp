#include "molecules/pages/json_fields.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"

namespace molgauge::report {

using nlohmann::ordered_json;

ordered_json read_json(const std::filesystem::path& path, std::vector<std::string>& gaps) {
  if (!std::filesystem::is_regular_file(path)) {
    gaps.push_back(path.string() + " is missing.");
    return ordered_json::object();
  }
  try {
    require_intact(path, "Run its command again");
  } catch (const InputError& damage) {
    gaps.emplace_back(damage.what());
    return ordered_json::object();
  }
  auto content = parse_json_or_nothing<ordered_json>(read_file(path));
  if (!content.is_object()) {
    gaps.push_back(path.string() + " is not a JSON object.");
    return ordered_json::object();
  }
  return content;
}

std::vector<std::pair<std::string, std::string>> fields_of(const ordered_json& object) {
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& [name, value] : object.items()) {
    if (value.is_string()) {
      fields.emplace_back(name, value.get<std::string>());
    } else if (value.is_primitive() && !value.is_null()) {
      fields.emplace_back(name, json_line(value));
    }
  }
  return fields;
}

std::string text_field(const ordered_json& object, const char* key, const std::string& otherwise) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : otherwise;
}

double number_field(const ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? object[key].get<double>() : std::nan("");
}

std::size_t count_field(const ordered_json& object, const char* key) {
  return object.contains(key) && object[key].is_number_unsigned() ? object[key].get<std::size_t>() : 0;
}

matrix::Cell cell_of_config(const ordered_json& config) {
  matrix::Cell cell;
  cell.benchmark = std::filesystem::path(text_field(config, "data_file", "benchmark")).stem().string();
  cell.encoder = text_field(config, "foundation_model", "encoder");
  cell.seed = count_field(config, "seed");
  cell.data_seed = count_field(config, "data_seed");
  return cell;
}

bool has_figures(const matrix::CellResult& result) {
  return std::isfinite(result.auroc) && std::isfinite(result.aupr) && std::isfinite(result.fpr95);
}

}  // namespace molgauge::report
