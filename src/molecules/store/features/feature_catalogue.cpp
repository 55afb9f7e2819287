#include "molecules/store/features/feature_catalogue.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/store/lmdb/environment.h"
#include "molecules/store/tables/catalogue.h"

namespace molgauge::store {
namespace {

const std::string kPrefix = "space:";

}  // namespace

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name) {
  const auto json = find_entry(environment, catalogue, kPrefix + name);
  return json ? std::optional(parse_entry(environment, name, *json, feature_space_from_json)) : std::nullopt;
}

void require_width(const Environment& environment, const std::string& name, const FeatureSpace& known,
                   std::size_t width) {
  if (known.width != width) {
    throw InputError(
        fmt::format("{}: the rows of {} have {} numbers instead of {}. Prune that database, or name another "
                    "folder",
                    environment.folder().string(), name, known.width, width));
  }
}

MDB_dbi make_table(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const FeatureSpace& space) {
  return make_entry(environment, catalogue, name, kPrefix + name, to_json(space),
                    [&](const std::string& json, std::size_t rows) {
                      if (rows > 0) {
                        const auto known = parse_entry(environment, name, json, feature_space_from_json);
                        require_width(environment, name, known, space.width);
                      }
                      return rows > 0;
                    });
}

std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue) {
  std::vector<std::pair<std::string, FeatureSpace>> spaces;
  for (const auto& [name, json] : list_entries(environment, catalogue, kPrefix)) {
    spaces.emplace_back(name, parse_entry(environment, name, json, feature_space_from_json));
  }
  return spaces;
}

}  // namespace molgauge::store
