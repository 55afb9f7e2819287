#include "memgauge/explain/roles.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>

#include "memgauge/explain/origin_evidence.h"

namespace molgauge::allocator {
namespace {

using Counts = std::unordered_map<std::uint64_t, std::size_t>;

constexpr std::size_t kNoEvent = std::numeric_limits<std::size_t>::max();

/// Autocast copies matrices. It does not copy small vectors such as biases.
constexpr std::uint64_t kSmallestMatrix = std::uint64_t{64} * 1024;
/// Autocast is in use if at least this share of the matrix sizes has copies of half the size.
constexpr double kCopiedSizes = 0.6;

std::size_t count_of(const Counts& counts, std::uint64_t bytes) {
  const auto found = counts.find(bytes);
  return found == counts.end() ? 0 : found->second;
}

/// The events that separate the forward pass, the backward pass and the optimizer step of an iteration.
struct Passes {
  std::size_t first_forward = kNoEvent;  ///< kNoEvent if there is no such event
  std::size_t last_backward = 0;         ///< 0 if there is none
  std::size_t first_step = kNoEvent;     ///< first request of the optimizer
  std::size_t after_step = kNoEvent;     ///< first request of other code after the last request of the
                                         ///< optimizer
};

class RoleSearch {
 public:
  RoleSearch(const Recording& recording, const std::vector<Lifetime>& lifetimes, const Iterations& iterations,
             std::size_t horizon)
      : recording_(recording),
        lifetimes_(lifetimes),
        iterations_(iterations),
        horizon_(horizon),
        evidence_(evidence_by_origin(recording)),
        steps_(annotated_steps(recording)),
        passes_(iterations.count() + 1) {
    roles_.of.assign(lifetimes.size(), MemoryRole::unknown);
    roles_.certainty.assign(lifetimes.size(), RoleCertainty::unknown);
    is_by_stack_ = !recording.stacks.empty();
    has_backward_ = has_backward_pass(evidence_, lifetimes_);
  }

  Roles run() {
    find_passes();
    count_parameters();
    find_gradients();
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      if (lifetimes_[i].bytes > 0 && roles_.of[i] == MemoryRole::unknown) {
        decide(i);
      }
    }
    find_weight_copies();
    find_states();
    return std::move(roles_);
  }

 private:
  /// For each event, whether it lies within an annotated optimizer step.
  static std::vector<bool> annotated_steps(const Recording& recording) {
    std::vector<bool> inside;
    std::vector<bool> is_step;
    std::size_t open = 0;
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
      const MemoryEvent& event = recording.events[i];
      if (event.kind == EventKind::begin_phase) {
        is_step.push_back(recording.origins[event.origin].find("Optimizer.step") != std::string::npos);
        open += is_step.back() ? 1U : 0U;
      } else if (event.kind == EventKind::end_phase && !is_step.empty()) {
        open -= is_step.back() ? 1U : 0U;
        is_step.pop_back();
      }
      if (open > 0) {
        inside.resize(recording.events.size());
        inside[i] = true;
      }
    }
    return inside;
  }

  const OriginEvidence& evidence(std::size_t i) const { return evidence_[lifetimes_[i].origin]; }

  Region region(std::size_t i) const {
    const Region found = evidence(i).region;
    const bool in_step = !steps_.empty() && steps_[lifetimes_[i].born];
    return in_step && found != Region::workspace && found != Region::forward ? Region::optimizer : found;
  }

  /// The index of the iteration of an event in passes_. Index 0 contains the events before the first
  /// iteration.
  std::size_t place_of(std::size_t event) const {
    return static_cast<std::size_t>(iterations_.of(event) + 1);
  }

  /// Whether the memory stays until the end. Frees after the failed request do not count, because a program
  /// that runs out of memory frees all of its memory.
  bool never_dies(const Lifetime& lifetime) const {
    return lifetime.died == Lifetime::kNever || lifetime.died > horizon_;
  }
  bool outlives_its_iteration(const Lifetime& lifetime) const {
    return never_dies(lifetime) ||
           (iterations_.count() > 1 && iterations_.one_begins_between(lifetime.born, lifetime.died));
  }
  /// Whether the memory is freed in the iteration after the one that allocated it.
  bool dies_in_the_next(const Lifetime& lifetime) const {
    const long born = iterations_.of(lifetime.born);
    const std::size_t died = std::min<std::size_t>(lifetime.died, horizon_);
    return born >= 0 && iterations_.of(died) == born + 1;
  }

  void find_passes() {
    std::size_t last_place = 0;
    bool in_step = false;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (lifetime.resident || lifetime.bytes == 0) {
        continue;
      }
      const std::size_t place = place_of(lifetime.born);
      Passes& passes = passes_[place];
      const Region where = region(i);
      if (where == Region::optimizer) {
        passes.first_step = std::min<std::size_t>(passes.first_step, lifetime.born);
        passes.after_step = kNoEvent;
        last_place = place;
        in_step = true;
        continue;
      }
      if (in_step) {
        passes_[last_place].after_step = lifetime.born;
        in_step = false;
      }
      if (where == Region::forward) {
        passes.first_forward = std::min<std::size_t>(passes.first_forward, lifetime.born);
        first_forward_ = std::min<std::size_t>(first_forward_, lifetime.born);
      } else if (where == Region::backward) {
        passes.last_backward = std::max<std::size_t>(passes.last_backward, lifetime.born);
      }
    }
    for (const Passes& passes : passes_) {
      if (passes.first_step != kNoEvent) {
        windows_.push_back(&passes);
      }
    }
  }

  /// Whether memory that a backward pass allocated is still live when the optimizer step begins, as gradients
  /// are.
  bool survives_backward(std::size_t i) const {
    const Lifetime& lifetime = lifetimes_[i];
    const Passes& passes = passes_[place_of(lifetime.born)];
    if (never_dies(lifetime)) {
      return true;
    }
    // If the requests of the optimizer step are unknown, the end of the backward pass counts instead.
    return passes.first_step != kNoEvent && passes.first_step > lifetime.born
               ? lifetime.died > passes.first_step
               : lifetime.died > passes.last_backward && outlives_its_iteration(lifetime);
  }

  /// Counts parameters: memory that constructors of modules allocate, and other memory that is live before
  /// the first forward pass and as large as a gradient. Memory from before the recording that stays until the
  /// end is only a candidate.
  void count_parameters() {
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> survivors;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      if (region(i) == Region::backward && !lifetimes_[i].resident && survives_backward(i)) {
        auto& count = survivors[{place_of(lifetimes_[i].born), lifetimes_[i].bytes}];
        auto& most = gradient_counts_[lifetimes_[i].bytes];
        most = std::max(most, ++count);
      }
    }
    Counts residents;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (lifetime.resident) {
        if (never_dies(lifetime)) {
          ++residents[lifetime.bytes];
        }
        continue;
      }
      const Region where = region(i);
      const bool lasts = outlives_its_iteration(lifetime) ||
                         (lifetime.born < first_forward_ && lifetime.died > first_forward_);
      if (where == Region::building && lasts) {
        if (evidence(i).builds_in_torch) {
          set(i, MemoryRole::parameters, RoleCertainty::certain);
          ++parameter_counts_[lifetime.bytes];
        }
      } else if (lasts && lifetime.born < first_forward_ && count_of(gradient_counts_, lifetime.bytes) > 0 &&
                 (where == Region::outside || where == Region::unknown)) {
        set(i, MemoryRole::parameters, RoleCertainty::likely);
        ++parameter_counts_[lifetime.bytes];
      }
    }
    for (const auto& [bytes, count] : residents) {
      candidate_counts_[bytes] = count;
    }
    count_parameters_of_own_constructors();
    // If there are as many permanent blocks of a size as gradients of this size, all of these blocks are
    // parameters. None of them can be optimizer state.
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      const std::size_t gradients = count_of(gradient_counts_, lifetime.bytes);
      if (lifetime.resident && never_dies(lifetime) && gradients > 0 &&
          gradients == count_of(residents, lifetime.bytes)) {
        set(i, MemoryRole::parameters, RoleCertainty::likely);
      }
    }
  }

  /// Finds parameters that a constructor of the user allocates without a constructor of PyTorch. Such a
  /// constructor can also belong to an optimizer or to a copy of the model, which have tensors of the same
  /// sizes. If there are already as many parameters as gradients of a size, the role stays unknown. Without a
  /// backward pass, it stays unknown if another line has made tensors of the same size before.
  void count_parameters_of_own_constructors() {
    const Counts of_torch = parameter_counts_;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (lifetime.resident || region(i) != Region::building || evidence(i).builds_in_torch ||
          !(outlives_its_iteration(lifetime) ||
            (lifetime.born < first_forward_ && lifetime.died > first_forward_))) {
        continue;
      }
      const std::size_t gradients = count_of(gradient_counts_, lifetime.bytes);
      const auto first = own_constructors_.try_emplace(lifetime.bytes, lifetime.origin).first->second;
      const bool has_enough = gradients > 0 && count_of(parameter_counts_, lifetime.bytes) >= gradients;
      const bool is_a_copy =
          !has_backward_ && (count_of(of_torch, lifetime.bytes) > 0 || first != lifetime.origin);
      if (!has_enough && !is_a_copy) {
        set(i, MemoryRole::parameters, has_backward_ ? RoleCertainty::certain : RoleCertainty::likely);
        ++parameter_counts_[lifetime.bytes];
      }
    }
  }

  bool is_size_of_a_parameter(std::uint64_t bytes) const {
    return count_of(parameter_counts_, bytes) > 0 || count_of(candidate_counts_, bytes) > 0;
  }

  void find_gradients() {
    const bool sizes_are_known = !parameter_counts_.empty() || !candidate_counts_.empty();
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (region(i) != Region::backward || lifetime.resident || lifetime.bytes == 0) {
        continue;
      }
      const bool fits = is_size_of_a_parameter(lifetime.bytes);
      if (!survives_backward(i)) {
        set(i, MemoryRole::temporaries,
            evidence(i).is_certain ? RoleCertainty::certain : RoleCertainty::likely);
      } else if (evidence(i).accumulates || (fits && evidence(i).is_certain)) {
        set(i, MemoryRole::gradients, RoleCertainty::certain);
      } else if (fits || (!sizes_are_known && outlives_its_iteration(lifetime))) {
        set(i, MemoryRole::gradients, RoleCertainty::likely);
      } else if (never_dies(lifetime) && iterations_.of(lifetime.born) == iterations_.of(last_event())) {
        set(i, MemoryRole::temporaries, RoleCertainty::likely);  // the backward pass was cut off
      }
    }
  }

  std::size_t last_event() const {
    return std::min(horizon_, recording_.events.empty() ? 0 : recording_.events.size() - 1);
  }

  void decide(std::size_t i) {
    const Lifetime& lifetime = lifetimes_[i];
    const Region where = region(i);
    if (where == Region::workspace) {
      set(i, MemoryRole::workspace, RoleCertainty::certain);
    } else if (lifetime.resident || where == Region::backward) {
      return;  // neither the lifetimes nor the sizes show the role
    } else if (where == Region::optimizer) {
      if (!outlives_its_step(lifetime)) {
        set(i, MemoryRole::temporaries, RoleCertainty::certain);
      }
    } else if (where == Region::building) {
      if (!outlives_its_iteration(lifetime)) {
        set(i, MemoryRole::temporaries, RoleCertainty::likely);
      }
    } else if (is_input(i)) {
      set(i, MemoryRole::inputs, evidence(i).is_copy ? RoleCertainty::certain : RoleCertainty::likely);
    } else {
      decide_by_life(i);
    }
  }

  /// Whether an iteration allocates the memory before its forward pass and outside of modules.
  bool is_input(std::size_t i) const {
    const Lifetime& lifetime = lifetimes_[i];
    if (region(i) != Region::outside || !is_by_stack_) {
      return false;
    }
    const Passes& passes = passes_[place_of(lifetime.born)];
    const bool is_early = passes.first_forward != kNoEvent && lifetime.born < passes.first_forward;
    const bool is_of_loop = iterations_.count() == 0 || place_of(lifetime.born) > 0;
    return is_of_loop && (is_early || (evidence(i).is_copy && first_forward_ == kNoEvent)) &&
           (!never_dies(lifetime) || iterations_.of(lifetime.born) == iterations_.of(last_event()));
  }

  void decide_by_life(std::size_t i) {
    const Lifetime& lifetime = lifetimes_[i];
    const bool in_forward = region(i) == Region::forward;
    const RoleCertainty sure = in_forward && is_by_stack_ ? RoleCertainty::certain : RoleCertainty::likely;
    const bool is_of_the_last = iterations_.of(lifetime.born) == iterations_.of(last_event());
    // Without stacks, memory that a program allocates before its first iteration and keeps can be recognised
    // only by its lifetime.
    if (!is_by_stack_ && iterations_.count() > 0 && iterations_.of(lifetime.born) < 0 &&
        outlives_its_iteration(lifetime)) {
      set(i, MemoryRole::parameters, RoleCertainty::likely);
      return;
    }
    if (updates_a_parameter(i)) {
      if (!outlives_its_iteration(lifetime)) {
        set(i, MemoryRole::temporaries, RoleCertainty::likely);
      }
      return;  // a replaced parameter or optimizer state
    }
    if (!outlives_its_iteration(lifetime) || (never_dies(lifetime) && is_of_the_last && in_forward)) {
      if (in_forward || iterations_.count() > 0) {
        set(i, MemoryRole::activations, sure);
      }
    } else if (dies_in_the_next(lifetime) && lifetime.born >= std::min(first_forward_, last_event())) {
      set(i, MemoryRole::activations, sure);  // memory of the previous iteration
    } else if (in_forward && never_dies(lifetime) && iterations_.of(lifetime.born) > 0) {
      set(i, MemoryRole::activations, RoleCertainty::likely);  // memory that a program with a leak keeps
    }
  }

  /// Whether code outside of modules makes a tensor of the size of a parameter, in a program without a
  /// backward pass. Zeroth-order optimizers perturb and update the parameters with such tensors.
  bool updates_a_parameter(std::size_t i) const {
    return is_by_stack_ && !has_backward_ && region(i) == Region::outside &&
           is_size_of_a_parameter(lifetimes_[i].bytes);
  }

  /// Finds the copies of matrices that autocast makes. It identifies them by their frames, or by sizes whose
  /// numbers of allocations recur in every iteration.
  void find_weight_copies() {
    const Counts& parameters = parameter_counts_.empty() ? candidate_counts_ : parameter_counts_;
    const auto is_copied_size = [&](std::uint64_t bytes) {
      return bytes * 2 >= kSmallestMatrix && count_of(parameters, bytes * 2) > 0;
    };
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> made;
    Counts most;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      if (region(i) == Region::forward && !lifetimes_[i].resident && is_copied_size(lifetimes_[i].bytes)) {
        if (evidence(i).is_cast) {
          set(i, MemoryRole::weight_copies, RoleCertainty::certain);
        } else {
          auto& count = most[lifetimes_[i].bytes];
          count = std::max(count, ++made[{place_of(lifetimes_[i].born), lifetimes_[i].bytes}]);
        }
      }
    }
    std::size_t sizes = 0, copied = 0;
    for (const auto& [bytes, count] : parameters) {
      if (bytes >= kSmallestMatrix) {
        ++sizes;
        copied += count_of(most, bytes / 2) >= count ? 1U : 0U;
      }
    }
    const bool has_cast_frames =
        std::any_of(evidence_.begin(), evidence_.end(), [](const auto& one) { return one.is_cast; });
    if (has_cast_frames || sizes == 0 ||
        static_cast<double>(copied) < kCopiedSizes * static_cast<double>(sizes)) {
      return;
    }
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (region(i) != Region::forward || lifetime.resident || !is_copied_size(lifetime.bytes)) {
        continue;
      }
      // An iteration may make more allocations of half the size than there are weights of the full size. Some
      // of these allocations are then activations, but it is not known which.
      const bool is_ambiguous =
          made[{place_of(lifetime.born), lifetime.bytes}] > count_of(parameters, lifetime.bytes * 2);
      set(i, is_ambiguous ? MemoryRole::unknown : MemoryRole::weight_copies,
          is_ambiguous ? RoleCertainty::unknown : RoleCertainty::likely);
    }
  }

  /// The optimizer step that contains an event. A step begins with its first request and ends before the next
  /// request of other code.
  const Passes* step_of(std::size_t event) const {
    const auto after =
        std::upper_bound(windows_.begin(), windows_.end(), event,
                         [](std::size_t at, const Passes* passes) { return at < passes->first_step; });
    if (after == windows_.begin()) {
      return nullptr;
    }
    const Passes* const step = *std::prev(after);
    return event < step->after_step ? step : nullptr;
  }

  bool outlives_its_step(const Lifetime& lifetime) const {
    return never_dies(lifetime) || step_of(lifetime.died) != step_of(lifetime.born);
  }

  /// Whether an optimizer step may replace the tensor: parameters, optimizer state, or memory with an unknown
  /// role, for example from before the recording.
  bool can_be_replaced(std::size_t i) const {
    const MemoryRole role = roles_.of[i];
    return role == MemoryRole::parameters || role == MemoryRole::optimizer_state ||
           role == MemoryRole::unknown;
  }

  /// Finds memory that an optimizer step allocates and keeps. Such memory is optimizer state, or it replaces
  /// another tensor (`p.data = p.data - lr * p.grad`).
  void find_states() {
    std::map<std::uint64_t, std::vector<std::size_t>> by_size;  // allocations that a later step frees
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      const Passes* const step = lifetime.died == Lifetime::kNever ? nullptr : step_of(lifetime.died);
      if (step != nullptr && lifetime.born < step->first_step) {
        by_size[lifetime.bytes].push_back(i);
      }
    }
    for (auto& [bytes, dying] : by_size) {
      std::sort(dying.begin(), dying.end(), [&](std::size_t left, std::size_t right) {
        return lifetimes_[left].died < lifetimes_[right].died;
      });
    }
    std::map<std::uint64_t, std::size_t> next;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (lifetime.resident || lifetime.bytes == 0 || region(i) != Region::optimizer ||
          !outlives_its_step(lifetime)) {
        continue;
      }
      std::size_t replaced = kNoEvent;
      if (const auto dying = by_size.find(lifetime.bytes); dying != by_size.end()) {
        std::size_t& at = next[lifetime.bytes];
        const auto is_earlier = [&](std::size_t other) {
          return lifetimes_[other].died <= lifetime.born || !can_be_replaced(other);
        };
        while (at < dying->second.size() && is_earlier(dying->second[at])) {
          ++at;
        }
        if (at < dying->second.size() &&
            step_of(lifetimes_[dying->second[at]].died) == step_of(lifetime.born)) {
          replaced = dying->second[at++];
        }
      }
      if (replaced == kNoEvent) {
        set(i, MemoryRole::optimizer_state, RoleCertainty::certain);
      } else if (roles_.of[replaced] != MemoryRole::unknown) {
        set(i, roles_.of[replaced], RoleCertainty::likely);
      }
    }
  }

  void set(std::size_t i, MemoryRole role, RoleCertainty certainty) {
    roles_.of[i] = role;
    roles_.certainty[i] = certainty;
  }

  const Recording& recording_;
  const std::vector<Lifetime>& lifetimes_;
  const Iterations& iterations_;
  std::size_t horizon_;
  std::vector<OriginEvidence> evidence_;
  std::vector<bool> steps_;
  std::vector<Passes> passes_;  ///< element 0 is before the first iteration, and each other element is for
                                ///< one iteration
  std::size_t first_forward_ = kNoEvent;
  std::vector<const Passes*> windows_;  ///< passes with an optimizer step, in order
  bool is_by_stack_ = false, has_backward_ = false;
  std::unordered_map<std::uint64_t, std::uint32_t> own_constructors_;  ///< the first origin of each size
  Counts parameter_counts_;  ///< number of certain and likely parameters by size
  Counts candidate_counts_;  ///< number of permanent blocks from before the recording by size
  Counts gradient_counts_;  ///< maximum number of allocations in an iteration that survive its backward pass,
                            ///< by size
  Roles roles_;
};

}  // namespace

Roles roles_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
               const Iterations& iterations, std::size_t horizon) {
  return RoleSearch(recording, lifetimes, iterations, horizon).run();
}

}  // namespace molgauge::allocator
