#include "molecules/encoding/pipeline/feature_rows.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>

#include "base/core/error.h"
#include "base/core/text/counted.h"

namespace molgauge::pipeline {
namespace {

/// Asks the kernel for pages of 2 MiB in memory that will be written completely. Getting a new page of 4 KiB
/// takes longer than filling it. Resident memory does not grow, because the large pages are within `memory`.
/// Has no effect if the kernel has no large pages.
void prefer_large_pages(std::span<std::byte> memory) {
  constexpr std::size_t kLargePage = std::size_t{2} << 20;
  void* first = memory.data();
  std::size_t left = memory.size();
  if (std::align(kLargePage, kLargePage, first, left) != nullptr) {
    madvise(first, left / kLargePage * kLargePage, MADV_HUGEPAGE);
  }
}

}  // namespace

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

EncodeOutcome encode_into(std::span<float> rows, RowTable& table,
                          const std::function<EncodeOutcome()>& encode) {
  std::size_t absent = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    EncodeOutcome outcome = encode();
    absent = gather_rows(table, outcome.keys, rows);
    if (absent == outcome.failed.size()) {
      return outcome;
    }
  }
  throw Error(
      fmt::format("the features of {} cannot be returned, because their rows are no longer in the feature "
                  "store. Another process may be removing rows. {}",
                  counted(absent, "molecule"), kAdviceOnAbsentRows));
}

}  // namespace molgauge::pipeline
