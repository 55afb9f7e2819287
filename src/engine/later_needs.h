#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "baselines/classifier_plan.h"
#include "engine/memory_session.h"
#include "engine/molecule_input.h"
#include "headroom/baseline.h"
#include "headroom/memory_plan.h"
#include "ood/energy_head.h"

/// What the work of a command that comes after encoding takes, for MemorySession::foresee(): beside the
/// encoder and what encoding leaves behind. The verbs and `headroom memory plan` ask here, so that both name
/// the same smallest budget.
namespace headroom::verbs {

/// Bytes that encoding leaves behind: RDKit's tables, and what the heap does not give back of the pipeline.
inline constexpr std::uint64_t kLeftByEncoding = std::uint64_t{12} << 20;

/// Writing features of so many rows.
MemoryNeed need_of_feature_file(const std::filesystem::path& path, std::size_t rows, std::size_t width);

/// Training as planned; in the smallest way where nothing fits. `host_feature_bytes`: of features that are on
/// the host before they go to a GPU.
MemoryNeed need_of_training(const MemoryPlan& plan, bool on_device, std::uint64_t host_feature_bytes);

/// Scoring so many rows, of which `rows_at_once` have their features in memory, and keeping `bytes_a_row` of
/// each.
MemoryNeed need_of_scoring(const ood::EnergyHead& head, std::size_t rows, std::size_t rows_at_once,
                           std::size_t batch_size, std::size_t threads, std::uint64_t bytes_a_row,
                           bool on_device);

/// Bytes of fitting and applying one detector, beside features and classifier. Inside a PlanningScope.
std::uint64_t bytes_of_detector(const BaselineRequest& request, const std::string& method,
                                const baselines::ClassifierSizes& sizes);

/// Of methods on a classifier of these sizes, those of fitting and applying the one that takes most, beside
/// the features.
MemoryNeed need_of_detectors(const BaselineRequest& request, const std::vector<std::string>& methods,
                             const baselines::ClassifierSizes& sizes);

/// The runs of a matrix, one after the other: `smallest` bytes for the one that takes least, without which
/// nothing is done, `largest` for the one that takes most, features included.
MemoryNeed need_of_runs(std::uint64_t smallest, std::uint64_t largest, bool on_device);

}  // namespace headroom::verbs
