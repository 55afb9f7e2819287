#include "molecules/store/features/feature_table.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/core/threads/worker_group.h"
#include "molecules/store/features/stored_row.h"
#include "molecules/store/lmdb/cursor.h"
#include "molecules/store/lmdb/environment.h"
#include "molecules/store/lmdb/lmdb_value.h"
#include "molecules/store/tables/footprint.h"
#include "molecules/store/tables/table_upkeep.h"
#include "molecules/store/tables/value_lookup.h"

namespace molgauge::store {
namespace {

void require_rows(std::size_t keys, std::size_t width, std::size_t numbers) {
  if (numbers != keys * width) {
    throw std::invalid_argument("FeatureTable: " + std::to_string(keys) + " keys of width " +
                                std::to_string(width) + " with " + std::to_string(numbers) + " numbers");
  }
}

/// Number of rows that a thread reads at a time.
constexpr std::size_t kRowsPerPortion = 512;

/// Calls unpack(index of the key, value) for every key that has a value, on several threads if there are
/// enough keys. Returns one element for each key: the result of unpack, or false if the key has no value.
template <typename Unpack>
std::vector<bool> read_values(Environment& environment, MDB_dbi database, std::span<const Hash128> keys,
                              std::size_t threads, Unpack unpack) {
  std::vector<unsigned char> whole(
      keys.size());  // threads may write adjacent bytes at the same time, but not adjacent bits
  environment.read([&](MDB_txn* transaction) {
    const std::vector<FoundValue> found = find_values(environment, transaction, database, keys);
    const std::size_t portions = (found.size() + kRowsPerPortion - 1) / kRowsPerPortion;
    parallel_for(portions, std::min(threads, portions), [&](std::size_t portion) {
      const std::size_t last = std::min(found.size(), (portion + 1) * kRowsPerPortion);
      Footprint footprint(environment);
      for (std::size_t i = portion * kRowsPerPortion; i < last; ++i) {
        footprint.touch(found[i].value);
        whole[found[i].index] = unpack(found[i].index, found[i].value) ? 1 : 0;
      }
    });
  });
  return {whole.begin(), whole.end()};
}

}  // namespace

FeatureTable::FeatureTable(std::shared_ptr<Environment> environment, std::string name, FeatureSpace space,
                           unsigned database)
    : environment_(std::move(environment)),
      name_(std::move(name)),
      space_(std::move(space)),
      database_(database) {}

std::size_t FeatureTable::size() const { return size_of_table(*environment_, database_).rows; }

std::vector<bool> FeatureTable::find(std::span<const Hash128> keys) const {
  std::vector<float> row(space_.width);
  return read_values(*environment_, database_, keys, /*threads=*/1,
                     [&](std::size_t index, std::span<const std::byte> value) {
                       return unpack_row(keys[index], value, row) == RowState::whole;
                     });
}

std::vector<bool> FeatureTable::read(std::span<const Hash128> keys, std::span<float> rows,
                                     std::size_t threads) const {
  require_rows(keys.size(), space_.width, rows.size());
  return read_values(*environment_, database_, keys, threads,
                     [&](std::size_t index, std::span<const std::byte> value) {
                       const auto row = rows.subspan(index * space_.width, space_.width);
                       return unpack_row(keys[index], value, row) == RowState::whole;
                     });
}

void FeatureTable::write(std::span<const Hash128> keys, std::span<const float> rows) const {
  require_rows(keys.size(), space_.width, rows.size());
  if (keys.empty()) {
    return;
  }
  std::vector<std::byte> packed;
  environment_->write([&](MDB_txn* transaction) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      pack_row(keys[i], rows.subspan(i * space_.width, space_.width), packed);
      put_value(*environment_, transaction, database_, to_value(keys[i]), to_value(packed));
    }
  });
}

void FeatureTable::for_each(const Visit& visit) const {
  std::vector<float> row(space_.width);
  environment_->read([&](MDB_txn* transaction) {
    Footprint footprint(*environment_);
    for_each_pair(*environment_, transaction, database_,
                  [&](MDB_cursor*, const MDB_val& key_value, const MDB_val& value) {
                    footprint.touch(value);
                    Hash128 key;
                    if (to_key(key_value, key) && unpack_row(key, to_bytes(value), row) == RowState::whole) {
                      visit(key, row);
                    }
                  });
  });
}

}  // namespace molgauge::store
