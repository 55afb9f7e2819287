#pragma once

#include <cstdint>
#include <memory>

#include "memory/plan/step_model.h"
#include "models/encoders/descriptor.h"

namespace headroom::workloads {

/// The product's own encoder and trainers, with made-up weights, as the planner sees them.

/// Training an energy head of this width on features of 512 numbers; loss: bce, which takes linear time.
std::unique_ptr<memory::StepModel> energy_head_workload(std::int64_t hidden);
/// Training the supervised classifier of this width.
std::unique_ptr<memory::StepModel> classifier_workload(std::int64_t hidden);
/// MiniMol, where larger batches are worth their memory (as on a GPU).
std::unique_ptr<memory::StepModel> minimol_workload();
/// Uni-Mol of these sizes, likewise; its pairs are all pairs of a molecule's tokens, those with themselves
/// too.
std::unique_ptr<memory::StepModel> unimol_workload(const encoders::NetworkSizes& sizes,
                                                   const encoders::AtomPairChoice& fine);

}  // namespace headroom::workloads
