#include "molecules/store/tables/catalogue.h"

#include "molecules/store/lmdb/cursor.h"
#include "molecules/store/lmdb/environment.h"
#include "molecules/store/lmdb/lmdb_value.h"

namespace molgauge::store {
namespace {

constexpr const char* kCatalogue = "catalogue";
constexpr std::string_view kFormatKey = "format";
constexpr std::string_view kFormat = "1";

std::optional<std::string> find_text(const Environment& environment, MDB_txn* transaction, MDB_dbi catalogue,
                                     std::string_view key) {
  MDB_val key_value = to_value(key);
  MDB_val value;
  const int code = mdb_get(transaction, catalogue, &key_value, &value);
  if (code == MDB_NOTFOUND) {
    return std::nullopt;
  }
  environment.check("read", code);
  return std::string(to_text(value));
}

void put_text(const Environment& environment, MDB_txn* transaction, MDB_dbi catalogue, std::string_view key,
              std::string_view text) {
  MDB_val key_value = to_value(key);
  MDB_val value = to_value(text);
  environment.check("write to", mdb_put(transaction, catalogue, &key_value, &value, 0));
}

std::size_t count_pairs(const Environment& environment, MDB_txn* transaction, MDB_dbi database) {
  MDB_stat statistics;
  environment.check("read", mdb_stat(transaction, database, &statistics));
  return statistics.ms_entries;
}

/// Counts the pairs of the unnamed database. It has one pair for each named database.
std::size_t count_databases(const Environment& environment, MDB_txn* transaction) {
  MDB_dbi names = 0;
  environment.check("read", mdb_dbi_open(transaction, nullptr, 0, &names));
  return count_pairs(environment, transaction, names);
}

[[noreturn]] void refuse_foreign(const Environment& environment) {
  throw InputError(environment.folder().string() +
                   ": data.mdb is not a feature store of Molgauge. Name another folder");
}

/// Makes the catalogue in one transaction. If another process makes the same store, or if this process is
/// killed, the catalogue exists completely or not at all.
MDB_dbi make_catalogue(Environment& environment) {
  return environment.make_database(kCatalogue, [&](MDB_txn* transaction, MDB_dbi catalogue) {
    if (find_text(environment, transaction, catalogue, kFormatKey)) {
      return;  // another process has made the table
    }
    if (count_databases(environment, transaction) > 1) {
      refuse_foreign(environment);
    }
    put_text(environment, transaction, catalogue, kFormatKey, kFormat);
  });
}

}  // namespace

void refuse_entry(const Environment& environment, const std::string& name, const char* problem) {
  throw InputError(environment.folder().string() + ": the catalogue is damaged at " + name + ": " + problem +
                   ". Move the folder away, the features can be computed again");
}

MDB_dbi open_catalogue(Environment& environment) {
  auto catalogue = environment.find_database(kCatalogue);
  if (!catalogue && environment.access() == Access::write) {
    catalogue = make_catalogue(environment);
  }
  if (!catalogue) {
    refuse_foreign(environment);
  }
  std::optional<std::string> format;
  environment.read(
      [&](MDB_txn* transaction) { format = find_text(environment, transaction, *catalogue, kFormatKey); });
  if (format != kFormat) {
    throw InputError(environment.folder().string() + ": the feature store has format " +
                     format.value_or("(none)") + ", this Molgauge reads format " + std::string(kFormat) +
                     ". Update Molgauge or name another folder");
  }
  return *catalogue;
}

std::optional<std::string> find_entry(Environment& environment, MDB_dbi catalogue, const std::string& key) {
  std::optional<std::string> text;
  environment.read([&](MDB_txn* transaction) { text = find_text(environment, transaction, catalogue, key); });
  return text;
}

MDB_dbi make_entry(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const std::string& key, const std::string& text, const KeepsText& keeps) {
  return environment.make_database(name, [&](MDB_txn* transaction, MDB_dbi database) {
    const auto former = find_text(environment, transaction, catalogue, key);
    if (!former || (keeps && !keeps(*former, count_pairs(environment, transaction, database)))) {
      put_text(environment, transaction, catalogue, key, text);
    }
  });
}

std::vector<std::pair<std::string, std::string>> list_entries(Environment& environment, MDB_dbi catalogue,
                                                              std::string_view prefix) {
  std::vector<std::pair<std::string, std::string>> entries;
  environment.read([&](MDB_txn* transaction) {
    for_each_pair(environment, transaction, catalogue,
                  [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
                    if (const auto text = to_text(key); text.starts_with(prefix)) {
                      entries.emplace_back(text.substr(prefix.size()), to_text(value));
                    }
                  });
  });
  return entries;
}

}  // namespace molgauge::store
