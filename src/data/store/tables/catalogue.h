#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lmdb.h>

#include "core/error.h"

namespace headroom::store {

class Environment;

/// The database named "catalogue": under the key "format" the version of the store's format as decimal text,
/// under "space:NAME" the JSON of the feature space (data/store/features/feature_space.h) whose rows are in
/// the database NAME, under "blobs:NAME" the JSON of the blob space (data/store/blobs/blob_space.h) whose
/// values are there.
///
/// Opens it, in a new store makes it, and checks the version. Throws InputError when the environment is of
/// another program or of a newer Headroom.
MDB_dbi open_catalogue(Environment& environment);

/// The text under a key such as "blobs:NAME"; nothing if there is none.
std::optional<std::string> find_entry(Environment& environment, MDB_dbi catalogue, const std::string& key);

/// Whether a database keeps the text that the catalogue has for it; `pairs`: how many the database holds. May
/// throw.
using KeepsText = std::function<bool(const std::string& text, std::size_t pairs)>;

/// The database `name`, made in one transaction with the text under `key`. Where it is there already it keeps
/// its text, or takes the new one if `keeps` is false.
MDB_dbi make_entry(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const std::string& key, const std::string& text, const KeepsText& keeps = nullptr);

/// What follows the prefix in the keys that begin with it, in their order, and the texts under them.
std::vector<std::pair<std::string, std::string>> list_entries(Environment& environment, MDB_dbi catalogue,
                                                              std::string_view prefix);

/// Throws InputError with the fix: the catalogue's entry of the database `name` cannot be read, because of
/// `problem`.
[[noreturn]] void refuse_entry(const Environment& environment, const std::string& name, const char* problem);

/// parse(text), whose InputError becomes that of refuse_entry.
template <typename Parse>
auto parse_entry(const Environment& environment, const std::string& name, std::string_view text,
                 const Parse& parse) {
  try {
    return parse(text);
  } catch (const InputError& failure) {
    refuse_entry(environment, name, failure.what());
  }
}

}  // namespace headroom::store
