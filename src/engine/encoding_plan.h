#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "encoders/encoding_step.h"
#include "engine/molecule_input.h"
#include "memory/batch_load.h"
#include "memory/planner.h"
#include "memory/step_prober.h"
#include "pipeline/batch_choice.h"

namespace headroom::verbs {

/// How encoding is going to be done.
struct EncodingPlan {
  memory::StepPlan steps;        ///< of one worker: its batches, and what `headroom memory plan` prints
  pipeline::BatchChoice choice;  ///< workers side by side, the most atoms in a batch, what all of it takes
};

/// What tensors take while an encoder encodes, from a few batches of small made-up molecules, which are run
/// when the object is made: nobody else makes tensors then, and operators have the threads that workers give
/// them, one.
class EncodingModel {
 public:
  using Device = encoders::EncodingStep::Device;

  /// `encoder`: on the CPU, whatever `device` is planned for. It outlives the object.
  EncodingModel(const encoders::Encoder& encoder, Device device);
  EncodingModel(const EncodingModel&) = delete;
  EncodingModel& operator=(const EncodingModel&) = delete;

  const encoders::Encoder& encoder() const { return encoder_; }
  bool on_device() const { return device_ == Device::gpu; }
  const memory::StepProjection& projection() const { return projection_; }
  memory::StepPlan plan(const memory::PlanningRequest& request) {
    return memory::plan_steps(step_, prober_, request);
  }

 private:
  const encoders::Encoder& encoder_;
  Device device_;
  encoders::EncodingStep step_;
  memory::StepProber prober_;
  memory::StepProjection projection_;
};

/// Plans the encoding of some molecules: the one place where workers and batches are chosen, for the verbs
/// that encode and for `headroom memory plan`.
class EncodingPlanner {
 public:
  /// `molecules`: none where they are not known beforehand. Then they are taken to be like drugs; a batch of
  /// others is cut by what it takes. The model outlives the planner and its plans.
  EncodingPlanner(EncodingModel& model, MoleculeList molecules);
  EncodingPlanner(const EncodingPlanner&) = delete;
  EncodingPlanner& operator=(const EncodingPlanner&) = delete;

  /// The smallest there is. `batch_atoms`: forced; 0: chosen.
  pipeline::BatchChoice smallest(std::size_t batch_atoms) const { return chooser_.smallest(batch_atoms); }
  /// The plan within that room: the smallest batches where nothing fits.
  EncodingPlan plan(const pipeline::EncodingRoom& room, std::size_t workers, std::size_t batch_atoms) const;

  /// Bytes of tensors of one batch of so many atoms at their peak, parameters left out, in the input's mix of
  /// molecules.
  std::uint64_t batch_bytes(std::size_t atoms) const;

 private:
  memory::PlanningRequest request_for(const pipeline::EncodingRoom& room, const pipeline::BatchChoice& choice,
                                      bool is_forced) const;

  EncodingModel& model_;
  std::vector<memory::ItemSize> molecules_;
  std::vector<std::string> notes_;
  memory::BatchLoad all_;  ///< of the molecules
  pipeline::BatchChooser chooser_;
};

}  // namespace headroom::verbs
