#include "molecules/store/features/feature_store.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <lmdb.h>

#include "base/core/error.h"
#include "base/core/text/hexadecimal.h"
#include "molecules/store/features/feature_space.h"
#include "molecules/store/features/stored_row.h"
#include "molecules/store/lmdb/environment.h"
#include "molecules/store/lmdb/lmdb_value.h"
#include "molecules/store/tables/catalogue.h"
#include "molecules/store/tables/table_upkeep.h"

namespace molgauge::store {
namespace {

const std::string kPrefix = "space:";

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name) {
  const auto json = find_entry(environment, catalogue, kPrefix + name);
  return json ? std::optional(parse_entry(environment, name, *json, feature_space_from_json)) : std::nullopt;
}

/// Throws InputError if the rows of the table do not have `width` numbers. The message says how to fix this.
void require_width(const Environment& environment, const std::string& name, const FeatureSpace& known,
                   std::size_t width) {
  if (known.width != width) {
    throw InputError(
        fmt::format("{}: the rows of {} have {} numbers instead of {}. Prune that database, or name another "
                    "folder",
                    environment.folder().string(), name, known.width, width));
  }
}

/// Creates the table of the space and its catalogue entry in one transaction. If a table of this name exists
/// and is empty, its entry is replaced. If it has rows, their width must be the width of the space.
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

/// Lists the tables with their feature spaces, in the order of the table names.
std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue) {
  std::vector<std::pair<std::string, FeatureSpace>> spaces;
  for (const auto& [name, json] : list_entries(environment, catalogue, kPrefix)) {
    spaces.emplace_back(name, parse_entry(environment, name, json, feature_space_from_json));
  }
  return spaces;
}

/// Returns a function that describes damage of a row of this width.
DescribeDamage damage_of_rows(std::size_t width) {
  return [row = std::vector<float>(width)](const MDB_val& key_value,
                                           const MDB_val& value) mutable -> std::string {
    Hash128 key;
    if (!to_key(key_value, key)) {
      return "a key that is not a hash of a molecule";
    }
    switch (unpack_row(key, to_bytes(value), row)) {
      case RowState::whole:
        return "";
      case RowState::wrong_width:
        return to_hexadecimal(key) + ": a row of another width";
      case RowState::damaged:
        break;
    }
    return to_hexadecimal(key) + ": the checksum does not fit";
  };
}

}  // namespace

FeatureStore::FeatureStore(std::shared_ptr<Environment> environment, unsigned catalogue)
    : environment_(std::move(environment)), catalogue_(catalogue) {}

FeatureStore FeatureStore::open(const std::filesystem::path& folder, Access access) {
  auto environment = share_environment(folder, access);
  const unsigned catalogue = open_catalogue(*environment);
  return {std::move(environment), catalogue};
}

FeatureTable FeatureStore::table(const FeatureSpace& space) const {
  const std::string name = database_name(space);
  const auto known = find_space(*environment_, catalogue_, name);
  const bool fits = known && known->width == space.width;
  if (!fits && environment_->access() == Access::write) {
    return {environment_, name, space, make_table(*environment_, catalogue_, name, space)};
  }
  const auto database = environment_->find_database(name);
  if (!known || !database) {
    throw InputError(environment_->folder().string() + ": the store has no rows of " + space.encoder +
                     " with these weights and options. Make them with `molgauge encode`");
  }
  require_width(*environment_, name, *known, space.width);
  return {environment_, name, space, *database};
}

FeatureTable FeatureStore::table(const std::string& name) const {
  std::string names;
  for (const auto& [known, space] : list_spaces(*environment_, catalogue_)) {
    const auto database = environment_->find_database(known);
    if (known == name && database) {
      return {environment_, name, space, *database};
    }
    names += (names.empty() ? "" : ", ") + known;
  }
  throw InputError(environment_->folder().string() + ": the store has no database " + name +
                   ". Available: " + (names.empty() ? "none" : names));
}

std::vector<FeatureTable> FeatureStore::tables() const {
  std::vector<FeatureTable> tables;
  for (const auto& [name, space] : list_spaces(*environment_, catalogue_)) {
    if (const auto database = environment_->find_database(name)) {
      tables.push_back({environment_, name, space, *database});
    }
  }
  return tables;
}

StoreReport FeatureStore::report() const {
  StoreReport report;
  report.folder = environment_->folder();
  for (const auto& table : tables()) {
    const TableSize size = size_of_table(*environment_, table.database_);
    if (size.rows > 0) {
      report.tables.push_back({table.name(), table.space(), size.rows, size.bytes});
    }
  }
  report.bytes_used = environment_->bytes_used();
  report.bytes_on_disk = environment_->bytes_on_disk();
  return report;
}

Verification FeatureStore::verify() const {
  environment_->check_trees();
  Verification result;
  for (const auto& table : tables()) {
    verify_table(*environment_, table.database_, table.name(), damage_of_rows(table.space().width), result);
  }
  return result;
}

std::size_t FeatureStore::prune(const std::string& name) const {
  require_write_access(*environment_);
  return empty_table(*environment_, table(name).database_);
}

std::size_t FeatureStore::prune_damaged() const {
  require_write_access(*environment_);
  std::size_t removed = 0;
  for (const auto& table : tables()) {
    removed += remove_damaged(*environment_, table.database_, damage_of_rows(table.space().width));
  }
  return removed;
}

}  // namespace molgauge::store
