#include "rows.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace molgauge::store::test {
namespace {

/// Returns integers, which float32 represents exactly. There are far fewer distinct values than numbers in
/// the rows.
float number_of(std::size_t molecule, std::size_t column, std::size_t version) {
  return static_cast<float>(molecule) + 0.25F * static_cast<float>(column % 4) - static_cast<float>(version);
}

}  // namespace

FeatureSpace space_of(std::size_t width, const std::string& options) {
  return {.encoder = "minimol", .weights_sha256 = "5f2a", .options = options, .width = width};
}

Hash128 key_of(std::size_t molecule) { return hash128("molecule " + std::to_string(molecule)); }

std::vector<Hash128> keys_of(std::size_t first, std::size_t count) {
  std::vector<Hash128> keys(count);
  for (std::size_t i = 0; i < count; ++i) {
    keys[i] = key_of(first + i);
  }
  return keys;
}

std::vector<float> rows_of(std::size_t first, std::size_t count, std::size_t width, std::size_t version) {
  std::vector<float> rows(count * width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = number_of(first + i / width, i % width, version);
  }
  return rows;
}

void write_rows(const FeatureTable& table, std::size_t first, std::size_t count, std::size_t version) {
  table.write(keys_of(first, count), rows_of(first, count, table.space().width, version));
}

std::size_t count_right_rows(const FeatureTable& table, std::size_t first, std::size_t count,
                             std::size_t version) {
  const std::size_t width = table.space().width;
  const auto expected = rows_of(first, count, width, version);
  std::vector<float> rows(count * width);
  const auto found = table.read(keys_of(first, count), rows);
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = std::span(rows).subspan(i * width, width);
    if (found[i]) {
      EXPECT_TRUE(std::ranges::equal(row, std::span(expected).subspan(i * width, width)))
          << "molecule " << first + i << " has another row";
      ++right;
    }
  }
  return right;
}

}  // namespace molgauge::store::test
