#include "memgauge/explain/causes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "memgauge/explain/roles.h"
#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

// If a kind of memory reaches its threshold, it can be the cause. Thresholds are shares of the memory in use,
// except for kMax and kPools, which are shares of the memory that the process may use. With these thresholds,
// each of 20 synthetic programs gets exactly its known cause (tests/memgauge/failing_programs.cpp).
constexpr double kMuch = 0.25;  ///< the next smaller batch size usually frees less than this share
/// If parameters, gradients and optimizer state take this share, there is hardly room for any batch.
constexpr double kMax = 0.6;
/// Threshold for idle memory of private pools. The idle memory of a CUDA graph is usually below this
/// threshold.
constexpr double kPools = 0.1;
constexpr double kSome = 0.12;  ///< rounding to 512 bytes, or a single layer, explains only smaller shares

class CauseSearch {
 public:
  CauseSearch(const Evidence& evidence, MemoryExplanation& explanation)
      : evidence_(evidence),
        explanation_(explanation),
        event_(explanation.moment.event),
        held_(live_by_role(evidence.lifetimes, evidence.roles, event_)) {
    for (const std::uint64_t bytes : held_) {
      in_use_ += bytes;
    }
  }

  void run() {
    const bool found = private_pools() || outside_the_fraction() || rounding() || fragmentation() ||
                       imbalance() || leak() || retained_graph() || evaluation() || first_step() ||
                       growing() || workspace() || kept_gradients() || several_models() || large_model() ||
                       large_request();
    if (!found) {
      margin_.reset();
      set(MemoryCause::batch_too_large,
          fmt::format("The batch is too large for the card: {} of activations were in use in addition to {} "
                      "of parameters, "
                      "gradients and optimizer state{}.",
                      format_bytes(held(MemoryRole::activations) + held(MemoryRole::inputs)),
                      format_bytes(fixed()), of_unknown_role()));
    }
  }

 private:
  bool set(MemoryCause cause, std::string text) {
    explanation_.cause = cause;
    explanation_.cause_text = std::move(text);
    if (margin_) {
      explanation_.margins.push_back(*margin_);
    }
    return true;
  }
  std::uint64_t held(MemoryRole role) const { return held_.at(static_cast<std::size_t>(role)); }
  std::uint64_t fixed() const {
    return held(MemoryRole::parameters) + held(MemoryRole::gradients) + held(MemoryRole::optimizer_state);
  }
  std::string of_unknown_role() const {
    const std::uint64_t unknown = held(MemoryRole::unknown);
    return share(unknown) < kSome ? "" : fmt::format(", and {} whose role is unknown", format_bytes(unknown));
  }
  double share(std::uint64_t bytes) const {
    return in_use_ == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(in_use_);
  }
  /// Returns whether `value` reaches the threshold. Stores the figure in margin_, which is reported if this
  /// figure determines the cause.
  bool passes(const char* figure, double value, double threshold) {
    margin_ = MemoryMargin{figure, value, threshold, value >= threshold};
    return value > 0 && value >= threshold;
  }
  /// The missing bytes. 0 means that the request would have fitted if the free memory had been contiguous.
  std::uint64_t deficit() const {
    const auto& moment = explanation_.moment;
    const std::uint64_t needed =
        moment.allocated_bytes + round_request(moment.requested_bytes, evidence_.settings);
    return needed - std::min(needed, allowed());
  }
  const StackSummary& asking() const {
    return stack_of(evidence_.recording, evidence_.recording.events[event_].origin);
  }
  std::uint64_t allowed() const {
    return explanation_.allowed_bytes.value_or(explanation_.capacity_bytes.value_or(0));
  }

  bool private_pools() {
    std::uint64_t idle = 0, reserved = 0;
    for (const auto& pool : explanation_.pools) {
      reserved += pool.reserved_bytes;
      idle += pool.reserved_bytes - std::min(pool.reserved_bytes, pool.in_use_bytes);
    }
    margin_.reset();
    if (idle == 0 || idle < explanation_.moment.requested_bytes || deficit() > 0 ||
        !passes("idle memory in private pools, as a share of the memory that the process may use",
                allowed() == 0 ? 0 : static_cast<double>(idle) / static_cast<double>(allowed()), kPools)) {
      return false;
    }
    return set(MemoryCause::private_pools,
               fmt::format("Private pools (CUDA graphs, MemPool) hold {} of which {} are idle: no request "
                           "outside of them can use it. Share one pool between the graphs, or release those "
                           "that are done.",
                           format_bytes(reserved), format_bytes(idle)));
  }

  bool outside_the_fraction() {
    const auto& moment = explanation_.moment;
    margin_.reset();
    if (!explanation_.allowed_bytes ||
        moment.allocated_bytes + moment.requested_bytes > explanation_.capacity_bytes.value_or(0)) {
      return false;
    }
    if (explanation_.allowed_is_inferred) {
      return set(
          MemoryCause::memory_fraction,
          fmt::format(
              "The card had {} free, more than the request, so it was not full. The program set a memory "
              "fraction: the process may use between {} and {} (torch.cuda.set_per_process_memory_fraction).",
              format_bytes(evidence_.recording.failure->device_free),
              format_bytes(evidence_.recording.allowance->least), format_bytes(allowed())));
    }
    return explanation_.verdict == MemoryVerdict::too_much &&
           set(MemoryCause::memory_fraction,
               fmt::format("The card has {}, but per_process_memory_fraction allows this process {}.",
                           format_bytes(*explanation_.capacity_bytes), format_bytes(allowed())));
  }

  bool rounding() {
    const auto& moment = explanation_.moment;
    const std::uint64_t lost =
        moment.allocated_bytes - std::min(moment.allocated_bytes, explanation_.requested_live_bytes);
    const std::uint64_t lost_in_request =
        round_request(moment.requested_bytes, evidence_.settings) - moment.requested_bytes;
    margin_.reset();
    if (deficit() == 0 || lost + lost_in_request < deficit() ||
        !passes("memory lost to rounding, as a share of the memory in use",
                moment.allocated_bytes == 0
                    ? 0
                    : static_cast<double>(lost) / static_cast<double>(moment.allocated_bytes),
                kSome)) {
      return false;
    }
    return set(
        MemoryCause::rounding,
        fmt::format("Requests are rounded up: {} of the {} in use were never requested. {} were missing, so "
                    "this request would have fitted without the rounding. Use more divisions in "
                    "roundup_power2_divisions, or leave it out.",
                    format_bytes(lost), format_bytes(moment.allocated_bytes), format_bytes(deficit())));
  }

  /// Returns whether memory was fragmented. If much memory is leaked or kept by an evaluation, the gaps are
  /// only a consequence, so the leak or the evaluation becomes the cause.
  bool fragmentation() {
    if (explanation_.verdict != MemoryVerdict::fragmented) {
      return false;
    }
    if (leak() || evaluation()) {
      return true;
    }
    margin_.reset();
    return set(MemoryCause::fragmentation,
               fmt::format("Memory was fragmented: {} were free, but the largest free block had {}.",
                           format_bytes(explanation_.moment.reserved_bytes -
                                        std::min(explanation_.moment.reserved_bytes,
                                                 explanation_.moment.allocated_bytes)),
                           format_bytes(explanation_.moment.largest_free_block_bytes)));
  }

  bool imbalance() {
    margin_.reset();
    if (!explanation_.imbalance || !explanation_.extrapolation ||
        explanation_.extrapolation->from != explanation_.imbalance->least) {
      return false;
    }
    const auto& [most, least, ratio] = *explanation_.imbalance;
    return set(MemoryCause::imbalance,
               fmt::format("The work is split unevenly: {} had tensors {:.2f} times as large as those of {} "
                           "in the same work, so its input was about {:.1f} times as large. Split the inputs "
                           "by size (atoms, nodes, tokens), not by their number.",
                           most, ratio, least, ratio));
  }

  bool leak() {
    std::uint64_t bytes = 0, a_step = 0;
    for (const auto& leak : explanation_.leaks) {
      bytes += leak.bytes;
      a_step += leak.bytes_per_iteration;
    }
    if (!passes("memory that every iteration keeps, as a share of the memory in use", share(bytes), kMuch)) {
      return false;
    }
    const auto& largest = explanation_.leaks.front();
    return set(
        MemoryCause::leak,
        fmt::format("Memory leaks: every iteration keeps {} that nothing frees, {} after {}. Most of it "
                    "comes from {}. Keep numbers instead of tensors (loss.item(), tensor.detach().cpu()).",
                    format_bytes(a_step), format_bytes(bytes), counted(largest.iterations, "iteration"),
                    largest.origin));
  }

  /// Whether much memory of the forward pass of the previous iteration is still live.
  bool retained_graph() {
    const long now = evidence_.iterations.of(event_);
    if (now < 1) {
      return false;
    }
    const auto begin = evidence_.iterations.starts[static_cast<std::size_t>(now)];
    const auto before = evidence_.iterations.starts[static_cast<std::size_t>(now - 1)];
    std::uint64_t kept = 0;
    for (const auto& lifetime : evidence_.lifetimes) {
      const auto& stack = stack_of(evidence_.recording, lifetime.origin);
      const bool is_of_forward =
          !stack.in_backward && !stack.in_optimizer && !stack.is_workspace && !stack.builds_model;
      if (is_of_forward && !lifetime.resident && lifetime.born >= before && lifetime.born < begin &&
          lifetime.lives_after(event_)) {
        kept += lifetime.bytes;
      }
    }
    if (!passes("memory of the iteration before, as a share of the memory in use", share(kept), kMuch)) {
      return false;
    }
    return set(MemoryCause::graph_retained,
               fmt::format("{} of the previous iteration are still in memory while this one runs, because "
                           "its graph is kept (retain_graph=True, or a variable still holds a loss or an "
                           "output). Delete or detach them before the next forward pass.",
                           format_bytes(kept)));
  }

  bool evaluation() {
    std::uint64_t kept = 0, made = 0;
    const long now = evidence_.iterations.of(event_);
    for (const auto& lifetime : evidence_.lifetimes) {
      if (!lifetime.resident && lifetime.born <= event_ && evidence_.iterations.of(lifetime.born) == now &&
          stack_of(evidence_.recording, lifetime.origin).in_evaluation) {
        made += lifetime.bytes;
        kept += lifetime.lives_after(event_) ? lifetime.bytes : 0;
      }
    }
    if (kept * 2 < made ||
        !passes("memory that the evaluation keeps, as a share of the memory in use", share(kept), kMuch)) {
      return false;
    }
    return set(
        MemoryCause::evaluation_with_gradients,
        fmt::format("An evaluation keeps its activations: {} of the {} that it requested are still in "
                    "memory, as for a backward pass. Run it under torch.no_grad() or torch.inference_mode().",
                    format_bytes(kept), format_bytes(made)));
  }

  /// If parameters and gradients leave no room even for an optimizer state of 8 bits, the model is the cause.
  /// See large_model().
  bool first_step() {
    const std::uint64_t smallest_state =
        held(MemoryRole::parameters) / 2;  // two values of 8 bits for each fp32 parameter
    const std::uint64_t others = held(MemoryRole::parameters) + held(MemoryRole::gradients);
    margin_.reset();
    if (!asking().in_optimizer || others + smallest_state > allowed()) {
      return false;
    }
    return set(
        MemoryCause::optimizer_state,
        fmt::format("The first step of the optimizer allocates its state, in addition to {} of parameters "
                    "and {} of gradients. Memory ran out there, with {} of state allocated.",
                    format_bytes(held(MemoryRole::parameters)), format_bytes(held(MemoryRole::gradients)),
                    format_bytes(held(MemoryRole::optimizer_state))));
  }

  bool growing() {
    margin_.reset();
    if (!explanation_.extrapolation) {
      return false;
    }
    return set(MemoryCause::growing_batches,
               fmt::format("Batches grow: the tensors of this iteration were {:.2f} times as large as in the "
                           "previous iteration, which fitted.",
                           explanation_.extrapolation->ratio));
  }

  bool workspace() {
    return passes("scratch memory of libraries, as a share of the memory in use",
                  share(held(MemoryRole::workspace)), kMuch) &&
           set(MemoryCause::workspace,
               fmt::format("Scratch memory of libraries (cuBLAS, cuDNN, communication) holds {}. "
                           "CUBLAS_WORKSPACE_CONFIG and fewer streams make it smaller.",
                           format_bytes(held(MemoryRole::workspace))));
  }

  /// Whether gradients are still live when a forward pass requests memory.
  bool kept_gradients() {
    const bool in_forward = !asking().in_backward && !asking().in_optimizer;
    return in_forward && evidence_.iterations.of(event_) >= 1 &&
           passes("gradients in a forward pass, as a share of the memory in use",
                  share(held(MemoryRole::gradients)), kSome) &&
           set(MemoryCause::gradients_kept,
               fmt::format("{} of gradients are still in memory while the next forward pass runs. Call "
                           "optimizer.zero_grad(set_to_none=True) before it.",
                           format_bytes(held(MemoryRole::gradients))));
  }

  bool several_models() {
    std::map<std::string, std::uint64_t> by_place;
    for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
      const auto& lifetime = evidence_.lifetimes[i];
      if (evidence_.roles[i] == MemoryRole::parameters && lifetime.lives_after(event_)) {
        by_place[stack_of(evidence_.recording, lifetime.origin).place] += lifetime.bytes;
      }
    }
    by_place.erase("");
    const std::uint64_t parameters = held(MemoryRole::parameters);
    std::vector<std::pair<std::uint64_t, std::string>> large;
    for (const auto& [place, bytes] : by_place) {
      if (bytes * 4 >= parameters) {
        large.emplace_back(bytes, place);
      }
    }
    if (large.size() < 2 || !passes("parameters of several models, as a share of the memory in use",
                                    share(parameters), kMuch + kSome)) {
      return false;
    }
    std::sort(large.rbegin(), large.rend());
    return set(MemoryCause::several_models,
               fmt::format("Several models are on the card: {} of parameters from {} and {} from {}. Delete "
                           "the model that is not needed now, or move it to the host.",
                           format_bytes(large[0].first), large[0].second, format_bytes(large[1].first),
                           large[1].second));
  }

  bool large_model() {
    const std::uint64_t room = allowed();
    return room > 0 &&
           passes(
               "parameters, gradients and optimizer state, as a share of the memory that the process may use",
               static_cast<double>(fixed()) / static_cast<double>(room), kMax) &&
           set(MemoryCause::model_too_large,
               fmt::format("The model itself is too large for any batch: {} of parameters, {} of gradients "
                           "and {} of optimizer state.",
                           format_bytes(held(MemoryRole::parameters)),
                           format_bytes(held(MemoryRole::gradients)),
                           format_bytes(held(MemoryRole::optimizer_state))));
  }

  bool large_request() {
    const std::uint64_t wanted = explanation_.moment.requested_bytes;
    std::uint64_t largest = 0;
    for (const auto& lifetime : evidence_.lifetimes) {
      if (!lifetime.resident && lifetime.born < event_) {
        largest = std::max(largest, lifetime.bytes);
      }
    }
    margin_.reset();
    if (allowed() == 0 || wanted < largest * 4 || wanted * 4 < allowed()) {
      return false;
    }
    return set(
        MemoryCause::large_request,
        fmt::format(
            "A single tensor of {} was requested, {} larger than any before it. Check the shapes in {}.",
            format_bytes(wanted),
            largest == 0
                ? "far"
                : fmt::format("{:.0f} times", static_cast<double>(wanted) / static_cast<double>(largest)),
            explanation_.moment.origin.empty() ? explanation_.moment.phase : explanation_.moment.origin));
  }

  const Evidence& evidence_;
  MemoryExplanation& explanation_;
  std::size_t event_;
  std::array<std::uint64_t, kRoles> held_;
  std::uint64_t in_use_ = 0;
  std::optional<MemoryMargin> margin_;  ///< figure for the cause that is being tested
};

}  // namespace

void find_cause(const Evidence& evidence, MemoryExplanation& explanation) {
  if (explanation.moment.event < evidence.recording.events.size()) {
    CauseSearch(evidence, explanation).run();
  }
}

const char* name_of(MemoryCause cause) {
  switch (cause) {
    case MemoryCause::none:
      return "none";
    case MemoryCause::batch_too_large:
      return "batch_too_large";
    case MemoryCause::growing_batches:
      return "growing_batches";
    case MemoryCause::fragmentation:
      return "fragmentation";
    case MemoryCause::leak:
      return "leak";
    case MemoryCause::imbalance:
      return "imbalance";
    case MemoryCause::gradients_kept:
      return "gradients_kept";
    case MemoryCause::graph_retained:
      return "graph_retained";
    case MemoryCause::evaluation_with_gradients:
      return "evaluation_with_gradients";
    case MemoryCause::optimizer_state:
      return "optimizer_state";
    case MemoryCause::several_models:
      return "several_models";
    case MemoryCause::model_too_large:
      return "model_too_large";
    case MemoryCause::workspace:
      return "workspace";
    case MemoryCause::private_pools:
      return "private_pools";
    case MemoryCause::rounding:
      return "rounding";
    case MemoryCause::large_request:
      return "large_request";
    case MemoryCause::memory_fraction:
      return "memory_fraction";
  }
  return "none";
}

}  // namespace molgauge::allocator
