#include "pipeline/feature_rows.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/large_pages.h"

namespace headroom::pipeline {

std::size_t gather_rows(RowTable& table, std::span<const Hash128> keys, std::span<float> rows) {
  prefer_large_pages(std::as_writable_bytes(rows));
  const std::vector<bool> stored = table.read(keys, rows);
  const std::size_t width = keys.empty() ? 0 : rows.size() / keys.size();
  std::size_t absent = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!stored[i]) {
      std::ranges::fill(rows.subspan(i * width, width), std::numeric_limits<float>::quiet_NaN());
      ++absent;
    }
  }
  return absent;
}

std::size_t for_each_block(RowTable& table, std::span<const Hash128> keys, std::size_t width,
                           const VisitRows& visit) {
  std::vector<float> block(std::min(keys.size(), kBlockRows) * width);
  std::size_t absent = 0;
  for (; !keys.empty(); keys = keys.subspan(std::min(keys.size(), kBlockRows))) {
    const auto block_keys = keys.first(std::min(keys.size(), kBlockRows));
    const auto rows = std::span(block).first(block_keys.size() * width);
    absent += gather_rows(table, block_keys, rows);
    visit(rows);
  }
  return absent;
}

}  // namespace headroom::pipeline
