#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lmdb.h>

#include "data/store/features/feature_space.h"

/// The feature spaces in the catalogue of a store (data/store/tables/catalogue.h).
namespace headroom::store {

class Environment;

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name);

/// Throws InputError, with the fix, if the rows of the table do not have `width` numbers.
void require_width(const Environment& environment, const std::string& name, const FeatureSpace& known,
                   std::size_t width);

/// Creates the table of the space and its catalogue entry in one transaction. An empty table takes the new
/// width. A table with rows must already have it.
MDB_dbi make_table(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const FeatureSpace& space);

/// Names of the tables, in their order, and their spaces.
std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue);

}  // namespace headroom::store
