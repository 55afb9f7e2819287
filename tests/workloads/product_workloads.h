#pragma once

#include <cstdint>
#include <memory>

#include "memory/plan/step_model.h"
#include "models/encoders/descriptor.h"

namespace headroom::workloads {

/// Headroom's encoder and trainers with synthetic weights, as the planner sees them.

/// Training an energy head of this width on features of 512 numbers. The loss is bce, which takes linear
/// time.
std::unique_ptr<memory::StepModel> energy_head_workload(std::int64_t hidden);
/// Training the supervised classifier of this width.
std::unique_ptr<memory::StepModel> classifier_workload(std::int64_t hidden);
/// MiniMol, if larger batches are worth their memory (as on a GPU).
std::unique_ptr<memory::StepModel> minimol_workload();
/// Uni-Mol of these sizes, under the same condition. Its pairs are all pairs of tokens in a molecule,
/// including each token with itself.
std::unique_ptr<memory::StepModel> unimol_workload(const encoders::NetworkSizes& sizes,
                                                   const encoders::AtomPairChoice& fine);

}  // namespace headroom::workloads
