#include "store/feature_table.h"

#include <stdexcept>
#include <utility>

#include "store/cursor.h"
#include "store/environment.h"
#include "store/lmdb_value.h"
#include "store/stored_row.h"

namespace headroom::store {
namespace {

void require_rows(std::size_t keys, std::size_t width, std::size_t numbers) {
  if (numbers != keys * width) {
    throw std::invalid_argument("FeatureTable: " + std::to_string(keys) + " keys of width " +
                                std::to_string(width) + " with " + std::to_string(numbers) + " numbers");
  }
}

bool read_row(Environment& environment, MDB_txn* transaction, MDB_dbi database, const Hash128& key,
              std::span<float> row) {
  MDB_val key_value = to_value(key);
  MDB_val value;
  const int code = mdb_get(transaction, database, &key_value, &value);
  if (code == MDB_NOTFOUND) {
    return false;
  }
  environment.check("read", code);
  const bool is_whole = unpack_row(key, to_bytes(value), row) == RowState::whole;
  environment.count_row();
  return is_whole;
}

/// What is there under the key already is about to be given up.
void mend_former_row(const Environment& environment, MDB_txn* transaction, MDB_dbi database, MDB_val key) {
  MDB_val former;
  const int code = mdb_get(transaction, database, &key, &former);
  if (code != MDB_NOTFOUND) {
    environment.check("read", code);
    environment.mend_overflow_header(former);
  }
}

}  // namespace

FeatureTable::FeatureTable(std::shared_ptr<Environment> environment, std::string name, FeatureSpace space,
                           unsigned database)
    : environment_(std::move(environment)),
      name_(std::move(name)),
      space_(std::move(space)),
      database_(database) {}

std::size_t FeatureTable::size() const {
  MDB_stat statistics{};
  environment_->read([&](MDB_txn* transaction) {
    environment_->check("read", mdb_stat(transaction, database_, &statistics));
  });
  return statistics.ms_entries;
}

std::vector<bool> FeatureTable::find(std::span<const Hash128> keys) const {
  std::vector<bool> found(keys.size());
  std::vector<float> row(space_.width);
  environment_->read([&](MDB_txn* transaction) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      found[i] = read_row(*environment_, transaction, database_, keys[i], row);
    }
  });
  return found;
}

std::vector<bool> FeatureTable::read(std::span<const Hash128> keys, std::span<float> rows) const {
  require_rows(keys.size(), space_.width, rows.size());
  std::vector<bool> found(keys.size());
  environment_->read([&](MDB_txn* transaction) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto row = rows.subspan(i * space_.width, space_.width);
      found[i] = read_row(*environment_, transaction, database_, keys[i], row);
    }
  });
  return found;
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
      MDB_val key = to_value(keys[i]);
      MDB_val value = to_value(packed);
      mend_former_row(*environment_, transaction, database_, key);
      environment_->check("write to", mdb_put(transaction, database_, &key, &value, 0));
      environment_->count_row();
    }
  });
}

void FeatureTable::for_each(const Visit& visit) const {
  std::vector<float> row(space_.width);
  environment_->read([&](MDB_txn* transaction) {
    for_each_pair(*environment_, transaction, database_,
                  [&](MDB_cursor*, const MDB_val& key_value, const MDB_val& value) {
                    Hash128 key;
                    if (to_key(key_value, key) && unpack_row(key, to_bytes(value), row) == RowState::whole) {
                      visit(key, row);
                    }
                    environment_->count_row();
                  });
  });
}

}  // namespace headroom::store
