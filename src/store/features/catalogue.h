#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lmdb.h>

#include "store/features/feature_space.h"

namespace headroom::store {

class Environment;

/// The database named "catalogue": under the key "format" the version of the store's format as decimal text,
/// under "space:NAME" the JSON of the feature space whose rows are in the database NAME, under "blobs:NAME"
/// the JSON of the blob space (store/blobs/blob_space.h) whose values are there.
///
/// Opens it, in a new store makes it, and checks the version. Throws InputError when the environment is of
/// another program or of a newer Headroom.
MDB_dbi open_catalogue(Environment& environment);

/// The text under a key such as "blobs:NAME"; nothing if there is none.
std::optional<std::string> find_entry(Environment& environment, MDB_dbi catalogue, const std::string& key);

/// The database `name`, made in one transaction with the text under `key`, unless it is there already.
MDB_dbi make_entry(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const std::string& key, const std::string& text);

/// What follows the prefix in the keys that begin with it, in their order, and the texts under them.
std::vector<std::pair<std::string, std::string>> list_entries(Environment& environment, MDB_dbi catalogue,
                                                              std::string_view prefix);

/// Throws InputError with the fix: the catalogue's entry of the database `name` cannot be read, because of
/// `problem`.
[[noreturn]] void refuse_entry(const Environment& environment, const std::string& name, const char* problem);

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name);

/// Throws InputError, with the fix, when the rows of the table are not `width` numbers wide.
void require_width(const Environment& environment, const std::string& name, const FeatureSpace& known,
                   std::size_t width);

/// The table of the space, made in one transaction with its entry in the catalogue. A table without rows
/// takes the new width; one with rows has to have it.
MDB_dbi make_table(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const FeatureSpace& space);

/// Names of the tables, in their order, and their spaces.
std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue);

}  // namespace headroom::store
