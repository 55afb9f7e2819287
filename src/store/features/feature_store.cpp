#include "store/features/feature_store.h"

#include <utility>

#include "core/error.h"
#include "core/hexadecimal.h"
#include "store/features/catalogue.h"
#include "store/features/footprint.h"
#include "store/features/stored_row.h"
#include "store/lmdb/cursor.h"
#include "store/lmdb/environment.h"
#include "store/lmdb/lmdb_value.h"

namespace headroom::store {
namespace {

/// What is wrong with a stored pair; nothing when it is whole. `row` is scratch as wide as the space.
std::string describe_damage(const MDB_val& key_value, const MDB_val& value, std::span<float> row) {
  Hash128 key;
  if (!to_key(key_value, key)) {
    return "a key that is no hash of a molecule";
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
}

std::uint64_t pages_taken(const MDB_stat& statistics) {
  return static_cast<std::uint64_t>(statistics.ms_branch_pages + statistics.ms_leaf_pages +
                                    statistics.ms_overflow_pages) *
         statistics.ms_psize;
}

MDB_stat statistics_of(Environment& environment, MDB_dbi database) {
  MDB_stat statistics{};
  environment.read(
      [&](MDB_txn* transaction) { environment.check("read", mdb_stat(transaction, database, &statistics)); });
  return statistics;
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
                     " with these weights and options; `headroom encode` makes them");
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
                   "; there are: " + (names.empty() ? "none" : names));
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
    const MDB_stat statistics = statistics_of(*environment_, table.database_);
    if (statistics.ms_entries > 0) {
      report.tables.push_back({table.name(), table.space(), statistics.ms_entries, pages_taken(statistics)});
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
    std::vector<float> row(table.space().width);
    environment_->read([&](MDB_txn* transaction) {
      Footprint footprint(*environment_);
      for_each_pair(*environment_, transaction, table.database_,
                    [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
                      footprint.touch(value);
                      ++result.rows;
                      if (const auto damage = describe_damage(key, value, row); !damage.empty()) {
                        ++result.damaged;
                        result.findings.push_back(table.name() + ": " + damage);
                      }
                    });
    });
  }
  return result;
}

std::size_t FeatureStore::prune(const std::string& name) const {
  require_access(Access::write);
  const FeatureTable pruned = table(name);
  std::size_t rows = 0;
  environment_->write([&](MDB_txn* transaction) {
    MDB_stat statistics{};
    environment_->check("read", mdb_stat(transaction, pruned.database_, &statistics));
    rows = statistics.ms_entries;
    Footprint footprint(*environment_);
    for_each_pair(*environment_, transaction, pruned.database_,
                  [&](MDB_cursor*, const MDB_val&, const MDB_val& value) {
                    footprint.touch(value);
                    environment_->mend_overflow_header(value);
                  });
    // Emptied rather than deleted: other handles of it stay valid.
    environment_->check("write to", mdb_drop(transaction, pruned.database_, /*del=*/0));
  });
  return rows;
}

std::size_t FeatureStore::prune_damaged() const {
  require_access(Access::write);
  std::size_t removed = 0;
  for (const auto& table : tables()) {
    std::vector<float> row(table.space().width);
    std::size_t removed_here = 0;
    environment_->write([&](MDB_txn* transaction) {
      removed_here = 0;  // the body may run again with a larger map
      Footprint footprint(*environment_);
      for_each_pair(*environment_, transaction, table.database_,
                    [&](MDB_cursor* cursor, const MDB_val& key, const MDB_val& value) {
                      footprint.touch(value);
                      if (!describe_damage(key, value, row).empty()) {
                        environment_->mend_overflow_header(value);
                        environment_->check("write to", mdb_cursor_del(cursor, 0));
                        ++removed_here;
                      }
                    });
    });
    removed += removed_here;
  }
  return removed;
}

void FeatureStore::require_access(Access access) const {
  if (access == Access::write && environment_->access() == Access::read) {
    throw Error(environment_->folder().string() + ": the feature store is open for reading only");
  }
}

}  // namespace headroom::store
