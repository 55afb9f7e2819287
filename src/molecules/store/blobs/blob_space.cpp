#include "molecules/store/blobs/blob_space.h"

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "molecules/store/tables/table_name.h"

namespace molgauge::store {
std::string database_name(const BlobSpace& space) {
  if (!can_name_table(space.kind)) {
    throw UsageError("\"" + space.kind +
                     "\" cannot name a kind of values: use up to 64 letters, digits, '.', '_', '-'");
  }
  return table_name(space.kind, "blobs\n" + space.kind + '\n' + space.options);
}

std::string to_json(const BlobSpace& space) {
  return json_line(nlohmann::json{{"kind", space.kind}, {"options", space.options}});
}

BlobSpace blob_space_from_json(std::string_view text) {
  try {
    const auto json = parse_json(text);
    return {json.at("kind").get<std::string>(), json.at("options").get<std::string>()};
  } catch (const nlohmann::json::exception& failure) {
    throw InputError("description of a blob space: " + json_problem(failure));
  }
}

}  // namespace molgauge::store
