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

/// The database "catalogue" lists the content of the store. The key "format" has the version of the format as
/// decimal text. The key "space:NAME" has the JSON of the feature space that is in the database NAME
/// (data/store/features/feature_space.h). The key "blobs:NAME" has the JSON of the blob space in NAME
/// (data/store/blobs/blob_space.h).
///
/// Opens the catalogue and checks the version. Creates it in a new store. Throws InputError if another
/// program or a newer Headroom wrote the environment.
MDB_dbi open_catalogue(Environment& environment);

/// Returns the text under a key such as "blobs:NAME", or nothing if there is none.
std::optional<std::string> find_entry(Environment& environment, MDB_dbi catalogue, const std::string& key);

/// Returns whether the text in the catalogue stays valid. `pairs`: the number of pairs in the database. May
/// throw.
using KeepsText = std::function<bool(const std::string& text, std::size_t pairs)>;

/// Returns the database `name`. Creates it and the text under `key` in one transaction. An existing database
/// keeps its text, or takes the new text if `keeps` returns false.
MDB_dbi make_entry(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const std::string& key, const std::string& text, const KeepsText& keeps = nullptr);

/// Lists the keys that begin with the prefix, in their order and without the prefix, and their texts.
std::vector<std::pair<std::string, std::string>> list_entries(Environment& environment, MDB_dbi catalogue,
                                                              std::string_view prefix);

/// Throws InputError with the fix for an unreadable catalogue entry of the database `name`. `problem`: the
/// reason.
[[noreturn]] void refuse_entry(const Environment& environment, const std::string& name, const char* problem);

/// Returns parse(text). Its InputError becomes the error of refuse_entry().
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
