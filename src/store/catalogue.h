#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lmdb.h>

#include "store/feature_space.h"

namespace headroom::store {

class Environment;

/// The database named "catalogue": under the key "format" the version of the store's format as decimal text,
/// under "space:NAME" the JSON of the feature space whose rows are in the database NAME.
///
/// Opens it, in a new store makes it, and checks the version. Throws InputError when the environment is of
/// another program or of a newer Headroom.
MDB_dbi open_catalogue(Environment& environment);

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name);
void add_space(Environment& environment, MDB_dbi catalogue, const std::string& name,
               const FeatureSpace& space);

/// Names of the tables, in their order, and their spaces.
std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue);

}  // namespace headroom::store
