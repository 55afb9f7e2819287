#pragma once

#include <cstdint>
#include <memory>

#include "base/memory/plan/step_model.h"
#include "molecules/encoders/descriptor.h"

namespace molgauge::workloads {

/// Molgauge's encoders and trainers with synthetic weights, as inputs of the planner.

/// Training an energy head of this width on features of 512 numbers. The loss is bce, which takes linear
/// time.
std::unique_ptr<memory::StepModel> energy_head_workload(std::int64_t hidden);
/// Training the supervised classifier of this width.
std::unique_ptr<memory::StepModel> classifier_workload(std::int64_t hidden);
/// MiniMol without a limit on batch size, because larger batches are faster on a GPU.
std::unique_ptr<memory::StepModel> minimol_workload();
/// Uni-Mol with these sizes, without a limit on batch size. Its pairs are all pairs of tokens in a molecule,
/// including each token with itself.
std::unique_ptr<memory::StepModel> unimol_workload(const encoders::NetworkSizes& sizes,
                                                   const encoders::AtomPairChoice& fine);

}  // namespace molgauge::workloads
