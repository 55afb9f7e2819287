#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/plan/cost.h"
#include "base/memory/plan/planner.h"
#include "base/memory/plan/step_prober.h"
#include "base/runtime/budget_scope.h"
#include "molecules/encoders/encoding_step.h"
#include "molecules/encoding/pipeline/batch_choice.h"
#include "molecules/encoding/session/molecule_input.h"

namespace molgauge::session {

/// How molecules will be encoded.
struct EncodingPlan {
  pipeline::BatchChoice choice;  ///< number of workers, maximum tokens in a batch, and memory
  memory::StepPlan steps;        ///< the batches of one worker
};

/// The result of planning an encoding within a limit of memory.
struct PlannedEncoding {
  MemoryPlan report;                 ///< plan for one worker, as in `molgauge memory plan`
  std::optional<EncodingPlan> plan;  ///< empty if even the smallest batches do not fit
};

/// The memory of tensors during encoding. The constructor measures the memory with a few batches of small
/// synthetic molecules. While the constructor runs, no other thread may create tensors. During the
/// measurement, operators use one thread, as in a worker.
class EncodingModel {
 public:
  using Device = encoders::EncodingStep::Device;

  /// `encoder`: an encoder on the CPU, even if `device` is a GPU. It must outlive the object.
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

/// Returns the forced number of tokens in a batch, or 0 if the planner chooses the number. `requested` has
/// priority. With ComputeOptions::conservative, the smallest batches are forced.
std::size_t forced_batch_tokens(const ComputeOptions& compute, std::size_t requested);

/// Plans the encoding of some molecules. Verbs that encode and `molgauge memory plan` both use this class to
/// choose workers and batches.
class EncodingPlanner {
 public:
  /// `molecules` is empty if the molecules are not known in advance. The planner then assumes typical drugs.
  /// Batches with larger molecules contain fewer molecules, because their memory is limited. The model must
  /// outlive the planner and its plans.
  EncodingPlanner(EncodingModel& model, const MoleculeList& molecules);
  EncodingPlanner(const EncodingPlanner&) = delete;
  EncodingPlanner& operator=(const EncodingPlanner&) = delete;

  /// The memory that the smallest batches need. `batch_tokens`: forced number of tokens in a batch, or 0.
  /// `key_bytes`: additional bytes for the keys of all records.
  runtime::MemoryRequirement smallest_need(std::size_t batch_tokens, std::uint64_t key_bytes) const;
  /// `printed`: whether to fill the text and the JSON of the report.
  PlannedEncoding plan(const memory::AvailableMemory& room, std::size_t workers, std::size_t batch_tokens,
                       bool printed = true) const;

  /// Peak bytes of tensors for one batch of this many tokens, excluding parameters. The batch has the mix of
  /// molecules of the input. The result is at least the bytes of a batch with only the largest molecule.
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

}  // namespace molgauge::session
