#pragma once

#include <cstddef>
#include <vector>

#include "molecules/store/blobs/blob_store.h"

namespace molgauge::store::test {

/// A space of values of varying size. `options` distinguishes spaces.
BlobSpace blob_space(const std::string& options = "recipe=1");

/// A value of 0 to about 9,000 bytes that depends only on the arguments. Small values are on leaves, large
/// values on overflow pages.
Blob blob_of(std::size_t molecule, std::size_t version = 0);

/// Writes the values of `count` molecules in one transaction.
void write_blobs(const BlobTable& table, std::size_t first, std::size_t count, std::size_t version = 0);

/// The number of these molecules with the correct value. Fails the test if a molecule has another value.
std::size_t count_right_blobs(const BlobTable& table, std::size_t first, std::size_t count,
                              std::size_t version = 0);

}  // namespace molgauge::store::test
