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
