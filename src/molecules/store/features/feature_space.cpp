#include "molecules/store/features/feature_space.h"

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "molecules/store/tables/table_name.h"

namespace molgauge::store {
namespace {

bool fits_a_row(std::size_t width) { return width >= 1 && width <= kWidestRow; }

std::size_t width_from_json(const nlohmann::json& json) {
  if (!json.is_number_unsigned() || !fits_a_row(json.get<std::size_t>())) {
    throw InputError("description of a feature space: no row is " + json_line(json) + " numbers wide");
  }
  return json.get<std::size_t>();
}

}  // namespace

std::string database_name(const FeatureSpace& space) {
  const auto& encoder = space.encoder;
  if (!can_name_table(encoder)) {
    throw UsageError("\"" + encoder +
                     "\" cannot name an encoder: use up to 64 letters, digits, '.', '_', '-'");
  }
  if (!fits_a_row(space.width)) {
    throw UsageError("the rows of encoder " + encoder + " would be " + std::to_string(space.width) +
                     " numbers wide. Possible widths are 1 to " + std::to_string(kWidestRow));
  }
  return table_name(encoder, encoder + '\n' + space.weights_sha256 + '\n' + space.options);
}

std::string to_json(const FeatureSpace& space) {
  return json_line(nlohmann::json{{"encoder", space.encoder},
                                  {"weights_sha256", space.weights_sha256},
                                  {"options", space.options},
                                  {"width", space.width}});
}

FeatureSpace feature_space_from_json(std::string_view text) {
  try {
    const auto json = parse_json(text);
    return {json.at("encoder").get<std::string>(), json.at("weights_sha256").get<std::string>(),
            json.at("options").get<std::string>(), width_from_json(json.at("width"))};
  } catch (const nlohmann::json::exception& failure) {
    throw InputError("description of a feature space: " + json_problem(failure));
  }
}

}  // namespace molgauge::store
