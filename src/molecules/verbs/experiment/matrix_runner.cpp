#include "molecules/verbs/experiment/matrix_runner.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/operator_threads.h"
#include "molecules/verbs/experiment/matrix_requests.h"
#include "molecules/verbs/train/training_needs.h"

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

std::string MatrixRunner::data_identity(const matrix::Cell& cell) const {
  return fmt::format("{} benchmark {} features {}\n", to_text(draw_of(spec_, cell.benchmark, cell.data_seed)),
                     benchmarks_.identity(cell.benchmark), features_.identity(cell.encoder));
}

std::string MatrixRunner::identity(const matrix::Cell& cell) {
  return kinds_.of(cell).identity(spec_, cell) + " " + data_identity(cell);
}

void MatrixRunner::plan(const std::vector<matrix::Cell>& cells, std::size_t jobs, std::uint64_t bytes) {
  plan_.emplace(spec_, benchmarks_, features_, tuning_, kinds_,
                CellRoom{bytes, std::max<std::size_t>(1, jobs), memory_.on_device()});
  refused_.clear();
  const runtime::PlanningScope planning;
  for (const auto& cell : cells) {
    try {
      plan_->add(cell);
    } catch (const Error&) {
      refused_.emplace(cell.folder(), std::current_exception());  // an error here fails only this run
    }
  }
}

void MatrixRunner::declare_requirement(const std::vector<matrix::Cell>& cells) {
  if (cells.empty()) {
    return;
  }
  const memory::AvailableMemory room = memory_.room();
  plan(cells, /*jobs=*/1, room.device.value_or(room.host));
  memory_.declare_requirement(
      need_of_runs(plan_->smallest_bytes(), plan_->largest_bytes(), room.device.has_value()));
}

void MatrixRunner::prepare(const std::vector<matrix::Cell>& cells, std::size_t jobs) {
  if (cells.empty()) {
    return;
  }
  const memory::AvailableMemory room = memory_.room();
  const std::uint64_t bytes = room.device.value_or(room.host);
  plan(cells, jobs, bytes);
  const bool on_device = room.device.has_value();
  const std::uint64_t smallest = plan_->smallest_bytes(), at_once = plan_->bytes_at_once();
  memory_.require({.what = "the smallest run of the matrix",
                   .host_bytes = on_device ? 0 : smallest,
                   .device_bytes = on_device ? smallest : 0});
  projected_peak_ = memory_.projected_peak(at_once, at_once);
  shares_.emplace(bytes);
}

matrix::CellResult MatrixRunner::run(const matrix::Cell& cell, const std::filesystem::path& folder) {
  torch::join_operator_threads();
  if (const auto refused = refused_.find(cell.folder()); refused != refused_.end()) {
    std::rethrow_exception(refused->second);
  }
  const CellPlan& plan = plan_->of(cell);
  memory::require_fit(plan.report);
  const memory::MemoryShares::Share share(*shares_, plan.size);
  CellKind& kind = kinds_.of(cell);
  const bool trains_encoder = kind.trains_encoder(spec_, cell);
  const auto features = trains_encoder ? nullptr : features_.of(cell);
  return kind.run({cell, spec_, benchmarks_, &tuning_},
                  {.sides = trains_encoder ? tuning_.of(cell).facts : *features,
                   .plan = plan,
                   .encoding = features_.settings(cell.encoder),
                   .features_identity = features_.identity(cell.encoder),
                   .data_identity = data_identity(cell),
                   .folder = folder,
                   .spreadsheet_safe = spreadsheet_safe_});
}

}  // namespace molgauge::verbs
