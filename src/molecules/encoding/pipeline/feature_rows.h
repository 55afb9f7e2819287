#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "base/core/hash.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/row_table.h"

namespace molgauge::pipeline {

/// Number of rows in a block. It is a compromise between few transactions and little memory. If a row has 512
/// numbers, a block takes 8 MiB.
inline constexpr std::size_t kBlockRows = 4096;

/// Advice for messages about stored rows that are absent.
inline constexpr const char* kAdviceOnAbsentRows =
    "Run the same command again to compute them. If that does not help, repair the store with molgauge store "
    "prune --damaged, and with --store if the command has it";

/// Reads the row of keys[i] into row i of `rows` (row-major [keys.size(), width]). If the table has no such
/// row, all numbers of the row are NaN. Returns the number of missing rows.
std::size_t gather_rows(RowTable& table, std::span<const Hash128> keys, std::span<float> rows);

/// Reads any number of rows in little memory. Missing rows are treated as in gather_rows(). `visit` receives
/// the rows in order, one row-major block at a time. A block is valid only during the call of `visit`.
/// Returns the number of missing rows.
using VisitRows = std::function<void(std::span<const float> rows)>;
std::size_t for_each_block(RowTable& table, std::span<const Hash128> keys, std::size_t width,
                           const VisitRows& visit);

/// Calls `encode`, and reads the rows of its outcome from the table. The rows of failed records are NaN. If
/// the row of a successful record is absent, calls `encode` again. For example, another process may have
/// removed rows, or a delayed write may have failed (WriteBehindTable). Throws Error if such rows are absent
/// even then.
EncodeOutcome encode_into(std::span<float> rows, RowTable& table,
                          const std::function<EncodeOutcome()>& encode);

}  // namespace molgauge::pipeline
