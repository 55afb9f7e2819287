#include "store/catalogue.h"

#include "core/error.h"
#include "store/cursor.h"
#include "store/environment.h"
#include "store/lmdb_value.h"

namespace headroom::store {
namespace {

constexpr const char* kCatalogue = "catalogue";
constexpr std::string_view kFormatKey = "format";
constexpr std::string_view kFormat = "1";
constexpr std::string_view kSpacePrefix = "space:";

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

bool has_databases(Environment& environment) {
  bool any = false;
  environment.read([&](MDB_txn* transaction) {
    MDB_dbi names;
    environment.check("read", mdb_dbi_open(transaction, nullptr, 0, &names));
    MDB_stat statistics;
    environment.check("read", mdb_stat(transaction, names, &statistics));
    any = statistics.ms_entries > 0;
  });
  return any;
}

FeatureSpace parse_space(const Environment& environment, const std::string& name, std::string_view json) {
  try {
    return feature_space_from_json(json);
  } catch (const InputError& failure) {
    throw InputError(environment.folder().string() + ": the catalogue is damaged at " + name + ": " +
                     failure.what() + "; move the folder away, the features can be computed again");
  }
}

}  // namespace

MDB_dbi open_catalogue(Environment& environment) {
  auto catalogue = environment.database(kCatalogue, /*create=*/false);
  if (!catalogue && environment.access() == Access::write && !has_databases(environment)) {
    catalogue = environment.database(kCatalogue, /*create=*/true);
    environment.write([&](MDB_txn* transaction) {
      if (!find_text(environment, transaction, *catalogue, kFormatKey)) {
        put_text(environment, transaction, *catalogue, kFormatKey, kFormat);
      }
    });
  }
  if (!catalogue) {
    throw InputError(environment.folder().string() +
                     ": data.mdb is not a feature store of Headroom; name another folder");
  }
  std::optional<std::string> format;
  environment.read(
      [&](MDB_txn* transaction) { format = find_text(environment, transaction, *catalogue, kFormatKey); });
  if (format != kFormat) {
    throw InputError(environment.folder().string() + ": the feature store has format " +
                     format.value_or("(none)") + ", this Headroom reads format " + std::string(kFormat) +
                     "; update Headroom or name another folder");
  }
  return *catalogue;
}

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name) {
  std::optional<std::string> json;
  environment.read([&](MDB_txn* transaction) {
    json = find_text(environment, transaction, catalogue, std::string(kSpacePrefix) + name);
  });
  return json ? std::optional(parse_space(environment, name, *json)) : std::nullopt;
}

void add_space(Environment& environment, MDB_dbi catalogue, const std::string& name,
               const FeatureSpace& space) {
  environment.write([&](MDB_txn* transaction) {
    put_text(environment, transaction, catalogue, std::string(kSpacePrefix) + name, to_json(space));
  });
}

std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue) {
  std::vector<std::pair<std::string, FeatureSpace>> spaces;
  environment.read([&](MDB_txn* transaction) {
    for_each_pair(environment, transaction, catalogue,
                  [&](MDB_cursor*, const MDB_val& key, const MDB_val& value) {
                    if (const auto text = to_text(key); text.starts_with(kSpacePrefix)) {
                      const std::string name(text.substr(kSpacePrefix.size()));
                      spaces.emplace_back(name, parse_space(environment, name, to_text(value)));
                    }
                  });
  });
  return spaces;
}

}  // namespace headroom::store
