#include "molecules/verbs/experiment/matrix_plan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace molgauge::verbs {
namespace {

std::uint64_t sum_of_largest(std::size_t count, std::vector<std::uint64_t> bytes) {
  std::sort(bytes.begin(), bytes.end(), std::greater<>());
  bytes.resize(std::min(count, bytes.size()));
  return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

}  // namespace

void MatrixPlan::add(const matrix::Cell& cell) {
  const MatrixSizes sizes = features_.sizes(cell);
  const CellOfMatrix of_matrix{cell, spec_, benchmarks_, &tuning_};
  const CellKind& kind = kinds_.of(cell);
  const std::string identity = kind.memory_identity(of_matrix, sizes);
  auto known = planned_.find(identity);
  if (known == planned_.end()) {
    known = planned_.emplace(identity, kind.plan(of_matrix, sizes, room_)).first;
    if (!kind.trains_encoder(spec_, cell)) {
      known->second.size.shared = sizes.bytes(sizes.all());
    }
  }
  CellPlan plan = known->second;
  if (plan.size.shared > 0) {
    plan.size.common = fmt::format("{} {} {}", cell.encoder, cell.benchmark, cell.data_seed);
  }
  cells_.insert_or_assign(cell.folder(), std::move(plan));
}

std::uint64_t MatrixPlan::smallest_bytes() const {
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [folder, plan] : cells_) {
    smallest = std::min(smallest, plan.bytes());
  }
  return cells_.empty() ? 0 : smallest;
}

std::uint64_t MatrixPlan::largest_bytes() const {
  std::uint64_t largest = 0;
  for (const auto& [folder, plan] : cells_) {
    largest = std::max(largest, plan.bytes());
  }
  return largest;
}

std::uint64_t MatrixPlan::bytes_at_once() const {
  std::map<std::string, std::uint64_t> shared;
  std::vector<std::uint64_t> own, features;
  for (const auto& [folder, plan] : cells_) {
    own.push_back(plan.size.own);
    shared[plan.size.common] = plan.size.shared;
  }
  for (const auto& [name, bytes] : shared) {
    features.push_back(bytes);
  }
  // The sum may exceed the memory. Then fewer runs are in memory at once.
  return std::min(
      sum_of_largest(room_.jobs, std::move(own)) + sum_of_largest(room_.jobs, std::move(features)),
      room_.bytes);
}

}  // namespace molgauge::verbs
