#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/core/hash.h"
#include "molecules/store/features/feature_space.h"
#include "molecules/store/features/feature_table.h"

namespace molgauge::store::test {

/// A feature space like the feature space of MiniMol. `options` distinguishes spaces.
FeatureSpace space_of(std::size_t width, const std::string& options = "precision=fp32");

/// Keys and rows that depend only on a number, so that any process can check a row. `version`: to write rows
/// again with other numbers.
Hash128 key_of(std::size_t molecule);
std::vector<Hash128> keys_of(std::size_t first, std::size_t count);
std::vector<float> rows_of(std::size_t first, std::size_t count, std::size_t width, std::size_t version = 0);

/// Writes the rows of `count` molecules in one transaction.
void write_rows(const FeatureTable& table, std::size_t first, std::size_t count, std::size_t version = 0);

/// The number of these molecules with the correct row. Fails the test if a row has other numbers.
std::size_t count_right_rows(const FeatureTable& table, std::size_t first, std::size_t count,
                             std::size_t version = 0);

}  // namespace molgauge::store::test
