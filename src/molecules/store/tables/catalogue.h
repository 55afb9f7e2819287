#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lmdb.h>

#include "base/core/error.h"

namespace molgauge::store {

class Environment;

/// The database "catalogue" lists the content of the store. The value of the key "format" is the version of
/// the format as decimal text. The value of the key "space:NAME" is JSON. It describes the feature space that
/// is in the database NAME (molecules/store/features/feature_space.h). The value of the key "blobs:NAME"
/// describes the blob space in the database NAME (molecules/store/blobs/blob_table.h).
///
/// Opens the catalogue and checks the version. Creates it in a new store. Throws InputError if another
/// program or a newer Molgauge wrote the environment.
MDB_dbi open_catalogue(Environment& environment);

/// Returns the text under a key such as "blobs:NAME", or nothing if there is none.
std::optional<std::string> find_entry(Environment& environment, MDB_dbi catalogue, const std::string& key);

/// A function that returns whether an existing text in the catalogue remains valid. `pairs`: the number of
/// pairs in the database. May throw.
using KeepsText = std::function<bool(const std::string& text, std::size_t pairs)>;

/// Returns the database `name`. Creates it and the text under `key` in one transaction. An existing database
/// keeps its text, or takes the new text if `keeps` returns false.
MDB_dbi make_entry(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const std::string& key, const std::string& text, const KeepsText& keeps = nullptr);

/// Returns the keys that begin with the prefix and their texts, in the order of the keys. The returned keys
/// do not contain the prefix.
std::vector<std::pair<std::string, std::string>> list_entries(Environment& environment, MDB_dbi catalogue,
                                                              std::string_view prefix);

/// Throws InputError for an unreadable catalogue entry of the database `name`. The message says how to fix
/// this. `problem`: the reason.
[[noreturn]] void refuse_entry(const Environment& environment, const std::string& name, const char* problem);

/// Returns parse(text). If parse throws InputError, throws the error of refuse_entry() instead.
template <typename Parse>
auto parse_entry(const Environment& environment, const std::string& name, std::string_view text,
                 const Parse& parse) {
  try {
    return parse(text);
  } catch (const InputError& failure) {
    refuse_entry(environment, name, failure.what());
  }
}

}  // namespace molgauge::store
