#include "molecules/store/blobs/blob_store.h"

#include <utility>

#include "base/core/error.h"
#include "base/core/text/hexadecimal.h"
#include "molecules/store/lmdb/lmdb_value.h"
#include "molecules/store/tables/catalogue.h"
#include "molecules/store/tables/stored_value.h"
#include "molecules/store/tables/table_upkeep.h"

namespace molgauge::store {
namespace {

constexpr const char* kPrefix = "blobs:";

std::string describe_damage(const MDB_val& key_value, const MDB_val& value) {
  Hash128 key;
  if (!to_key(key_value, key)) {
    return "a key that is not a hash";
  }
  return whole_content(key, ContentType::bytes, to_bytes(value))
             ? ""
             : to_hexadecimal(key) + ": the checksum does not fit";
}

}  // namespace

BlobStore::BlobStore(std::shared_ptr<Environment> environment, unsigned catalogue)
    : environment_(std::move(environment)), catalogue_(catalogue) {}

BlobStore BlobStore::open(const std::filesystem::path& folder, Access access) {
  auto environment = share_environment(folder, access);
  const unsigned catalogue = open_catalogue(*environment);
  return {std::move(environment), catalogue};
}

BlobTable BlobStore::table(const BlobSpace& space) const {
  const std::string name = database_name(space);
  if (environment_->access() == Access::write) {
    return {environment_, name, space,
            make_entry(*environment_, catalogue_, name, kPrefix + name, to_json(space))};
  }
  const auto database = environment_->find_database(name);
  if (!database || !find_entry(*environment_, catalogue_, kPrefix + name)) {
    throw InputError(environment_->folder().string() + ": the store has no " + space.kind + " made with " +
                     space.options);
  }
  return {environment_, name, space, *database};
}

std::vector<BlobTable> BlobStore::tables() const {
  std::vector<BlobTable> tables;
  for (const auto& [name, json] : list_entries(*environment_, catalogue_, kPrefix)) {
    if (const auto database = environment_->find_database(name)) {
      tables.push_back(
          {environment_, name, parse_entry(*environment_, name, json, blob_space_from_json), *database});
    }
  }
  return tables;
}

std::vector<BlobTableReport> BlobStore::report() const {
  std::vector<BlobTableReport> report;
  for (const auto& table : tables()) {
    const TableSize size = size_of_table(*environment_, table.database_);
    if (size.rows > 0) {
      report.push_back({table.name(), table.space(), size.rows, size.bytes});
    }
  }
  return report;
}

std::optional<BlobTable> BlobStore::find(const std::string& name) const {
  for (const BlobTable& table : tables()) {
    if (table.name() == name) {
      return table;
    }
  }
  return std::nullopt;
}

Verification BlobStore::verify() const {
  Verification result;
  for (const auto& table : tables()) {
    verify_table(*environment_, table.database_, table.name(), describe_damage, result);
  }
  return result;
}

std::size_t BlobStore::prune(const std::string& name) const {
  require_write_access(*environment_);
  const auto table = find(name);
  if (!table) {
    throw InputError(environment_->folder().string() + ": the store has no database " + name);
  }
  return empty_table(*environment_, table->database_);
}

std::size_t BlobStore::prune_damaged() const {
  require_write_access(*environment_);
  std::size_t removed = 0;
  for (const auto& table : tables()) {
    removed += remove_damaged(*environment_, table.database_, describe_damage);
  }
  return removed;
}

}  // namespace molgauge::store
