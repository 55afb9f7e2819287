#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/hash.h"
#include "data/store/features/feature_space.h"
#include "data/store/features/feature_table.h"

namespace headroom::store::test {

/// A space like MiniMol's; `options` tells one from another.
FeatureSpace space_of(std::size_t width, const std::string& options = "precision=fp32");

/// Keys and rows that follow from a number alone, so that any process can tell what a row has to be.
/// `version` is for rows that are written again with other numbers.
Hash128 key_of(std::size_t molecule);
std::vector<Hash128> keys_of(std::size_t first, std::size_t count);
std::vector<float> rows_of(std::size_t first, std::size_t count, std::size_t width, std::size_t version = 0);

/// Writes the rows of `count` molecules in one transaction.
void write_rows(const FeatureTable& table, std::size_t first, std::size_t count, std::size_t version = 0);

/// How many of these molecules have the row they should; one that has other numbers fails the test.
std::size_t count_right_rows(const FeatureTable& table, std::size_t first, std::size_t count,
                             std::size_t version = 0);

}  // namespace headroom::store::test
