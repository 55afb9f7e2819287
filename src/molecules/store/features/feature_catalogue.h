#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lmdb.h>

#include "molecules/store/features/feature_space.h"

/// Functions for the feature spaces in the catalogue of a store (molecules/store/tables/catalogue.h).
namespace molgauge::store {

class Environment;

std::optional<FeatureSpace> find_space(Environment& environment, MDB_dbi catalogue, const std::string& name);

/// Throws InputError if the rows of the table do not have `width` numbers. The message says how to fix this.
void require_width(const Environment& environment, const std::string& name, const FeatureSpace& known,
                   std::size_t width);

/// Creates the table of the space and its catalogue entry in one transaction. If a table of this name exists
/// and is empty, its entry is replaced. If it has rows, their width must be the width of the space.
MDB_dbi make_table(Environment& environment, MDB_dbi catalogue, const std::string& name,
                   const FeatureSpace& space);

/// Lists the tables with their feature spaces, in the order of the table names.
std::vector<std::pair<std::string, FeatureSpace>> list_spaces(Environment& environment, MDB_dbi catalogue);

}  // namespace molgauge::store
