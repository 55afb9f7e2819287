#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "encoders/encoding_step.h"
#include "memory/plan/cost.h"
#include "memory/plan/planner.h"
#include "memory/plan/step_prober.h"
#include "pipeline/batch_choice.h"
#include "session/encoding/molecule_input.h"
#include "session/memory_session.h"

namespace headroom::session {

/// How encoding is going to be done.
struct EncodingPlan {
  pipeline::BatchChoice choice;  ///< workers side by side, the most tokens in a batch, what all of it takes
  memory::StepPlan steps;        ///< of one worker: its batches
};

/// What was found out about encoding within some room.
struct PlannedEncoding {
  MemoryPlan report;                 ///< of one worker, as `headroom memory plan` prints it
  std::optional<EncodingPlan> plan;  ///< nothing where not even the smallest batches fit
};

/// What tensors take while an encoder encodes, from a few batches of small made-up molecules, which are run
/// when the object is made: no other thread makes tensors then, and operators have the threads that workers
/// give them, one.
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
  memory::PlannedSteps plan(const memory::PlanningRequest& request) {
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
  EncodingPlanner(EncodingModel& model, const MoleculeList& molecules);
  EncodingPlanner(const EncodingPlanner&) = delete;
  EncodingPlanner& operator=(const EncodingPlanner&) = delete;

  /// What the smallest batches take. `batch_tokens`: forced; 0: chosen. `key_bytes`: what is kept of every
  /// record besides.
  MemoryNeed smallest_need(std::size_t batch_tokens, std::uint64_t key_bytes) const;
  PlannedEncoding plan(const pipeline::EncodingRoom& room, std::size_t workers,
                       std::size_t batch_tokens) const;

  /// Bytes of tensors of one batch of so many tokens at their peak, parameters left out, in the input's mix
  /// of molecules; those of its largest molecule where it has fewer tokens than that.
  std::uint64_t batch_bytes(std::size_t tokens) const;

 private:
  memory::PlanningRequest request_for(const pipeline::EncodingRoom& room, const pipeline::BatchChoice& choice,
                                      bool is_forced) const;

  std::uint64_t bytes_of(const memory::Cost& cost) const;

  EncodingModel& model_;
  std::vector<std::string> notes_;
  std::vector<memory::ItemSize> molecules_;
  memory::Cost mix_;  ///< of all molecules, without padding
  memory::ItemSize largest_;
  pipeline::BatchChooser chooser_;
};

}  // namespace headroom::session
