#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "encoding/pipeline/batch_choice.h"
#include "encoding/session/molecule_input.h"
#include "memory/plan/cost.h"
#include "memory/plan/planner.h"
#include "memory/plan/step_prober.h"
#include "models/encoders/encoding_step.h"
#include "runtime/budget_scope.h"

namespace headroom::session {

/// How molecules will be encoded.
struct EncodingPlan {
  pipeline::BatchChoice choice;  ///< workers side by side, tokens of a batch at most, and their memory
  memory::StepPlan steps;        ///< the batches of one worker
};

/// The result of planning an encoding within some room.
struct PlannedEncoding {
  MemoryPlan report;                 ///< for one worker, as `headroom memory plan` prints it
  std::optional<EncodingPlan> plan;  ///< none where not even the smallest batches fit
};

/// The memory of tensors during encoding, measured on a few batches of small made-up molecules when
/// the object is made. No other thread makes tensors then, and operators use one thread, as in a
/// worker.
class EncodingModel {
 public:
  using Device = encoders::EncodingStep::Device;

  /// `encoder`: on the CPU, for any `device` of the plan. It outlives the object.
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

/// The tokens of a batch that are forced: as requested, or the fewest with ComputeOptions::conservative; 0:
/// the planner chooses.
std::size_t forced_batch_tokens(const ComputeOptions& compute, std::size_t requested);

/// Plans the encoding of some molecules. It is the only place where workers and batches are chosen, for the
/// verbs that encode and for `headroom memory plan`.
class EncodingPlanner {
 public:
  /// `molecules`: empty where they are not known beforehand. Then they are taken to be like typical drugs;
  /// batches of other molecules are cut by their memory. The model outlives the planner and its plans.
  EncodingPlanner(EncodingModel& model, const MoleculeList& molecules);
  EncodingPlanner(const EncodingPlanner&) = delete;
  EncodingPlanner& operator=(const EncodingPlanner&) = delete;

  /// The need of the smallest batches. `batch_tokens`: forced; 0: chosen. `key_bytes`: bytes that are kept
  /// for every record besides.
  MemoryRequirement smallest_need(std::size_t batch_tokens, std::uint64_t key_bytes) const;
  /// `printed`: whether the report has its text and JSON.
  PlannedEncoding plan(const memory::AvailableMemory& room, std::size_t workers, std::size_t batch_tokens,
                       bool printed = true) const;

  /// Peak bytes of tensors for one batch of this many tokens, without parameters, in the input's mix of
  /// molecules; at least those of the batch with only the largest molecule.
  std::uint64_t batch_bytes(std::size_t tokens) const;

 private:
  memory::PlanningRequest request_for(const memory::AvailableMemory& room,
                                      const pipeline::BatchChoice& choice, bool is_forced) const;

  std::uint64_t bytes_of(const memory::Cost& cost) const;

  EncodingModel& model_;
  std::vector<std::string> notes_;
  std::vector<memory::ItemSize> molecules_;
  memory::Cost mix_;  ///< cost of all molecules, without padding
  memory::ItemSize largest_;
  pipeline::BatchChooser chooser_;
};

}  // namespace headroom::session
