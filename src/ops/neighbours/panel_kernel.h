#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The inner loop of a search for neighbours: sixteen points against twelve queries, in whole numbers.
namespace headroom::ops {

constexpr std::size_t kPanelPoints = 16;
/// With 16 points a group has as many sums as hide the latency of AVX-512's products; AVX2 has registers for
/// half of them at a time.
constexpr std::size_t kGroupQueries = 12;

/// Coordinates are stored in pairs, which one instruction multiplies and adds; an odd width is padded with a
/// zero.
struct Panel {
  const std::int16_t* codes;  ///< [pairs, 16, 2]
  const float* norms;         ///< [16]
};

struct QueryGroup {
  const std::int16_t* codes;  ///< [pairs, 12, 2]
  std::array<float, kGroupQueries> weights{}, bounds{};
};

struct PanelComparison {
  /// [q][p] = norms[p] - weights[q] * sum_i query[q][i] point[p][i]; the sum is exact as long as it fits 32
  /// bits.
  std::array<std::array<float, kPanelPoints>, kGroupQueries> values;
  std::array<std::uint16_t, kGroupQueries> below;  ///< bit p of [q]: the value lies below the query's bound
};

/// Returns whether any bit is set. The values of a query without a set bit need not be filled in.
using PanelKernel = bool (*)(std::size_t pairs, const QueryGroup& queries, Panel panel,
                             PanelComparison& result);

bool compare_anywhere(std::size_t pairs, const QueryGroup& queries, Panel panel, PanelComparison& result);

/// The fastest kernel for the processor of this machine; its last float operation may be rounded otherwise
/// than compare_anywhere's.
PanelKernel choose_panel_kernel();

}  // namespace headroom::ops
