#include "memgauge/explain/savings.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "memgauge/explain/origin_evidence.h"
#include "memgauge/explain/roles.h"

namespace molgauge::allocator {
namespace {

enum class Of { training, inference, both };

/// The memory that a change reduces.
enum class Part { batch, activations, state };

struct Change {
  Of of;
  MemoryRole role;  ///< role that the report names as the holder of the memory
  Part part;
  double share;  ///< share of the bytes that remain after the change
  const char* change;
  const char* price;
};

constexpr Change kChanges[] = {
    {Of::training, MemoryRole::activations, Part::batch, 0.5,
     "half the batch, with gradients accumulated over two", "the same work in twice the steps"},
    {Of::inference, MemoryRole::activations, Part::batch, 0.5, "half the batch", "twice as many batches"},
    {Of::both, MemoryRole::activations, Part::activations, 0.5,
     "activations in bf16 (autocast) instead of fp32", "less precise products, no more time"},
    {Of::training, MemoryRole::optimizer_state, Part::state, 0.25, "optimizer state in 8 bit instead of fp32",
     "another optimizer with slightly different updates"},
    {Of::training, MemoryRole::optimizer_state, Part::state, 0.0, "optimizer state on the host",
     "its transfer over the bus in every step"},
};

/// Shares that distinguish training from inference. In training, a forward pass keeps about half of its
/// requested memory for the backward pass, or until the end if the recording was cut off. In inference, it
/// frees this memory.
constexpr double kKeptForBackward = 0.3, kKeptToTheEnd = 0.5;

/// Savings below this share of the peak are not listed.
constexpr double kWorthListing = 0.01;

/// A change removes bytes at the current peak. If the peak decreases by less than this share of these bytes,
/// the new peak is at another moment.
constexpr double kAllOfIt = 0.95;

class Savings {
 public:
  explicit Savings(const SavingsEvidence& evidence)
      : evidence_(evidence),
        follows_(follows_batch(evidence.recording, evidence.lifetimes, evidence.roles)),
        last_(evidence.failure.value_or(evidence.recording.events.size() - 1)),
        peak_(peak([&](std::size_t i) { return evidence_.lifetimes[i].bytes; }, 1)),
        trains_(is_training()) {}

  std::vector<MemorySaving> run() {
    for (const Change& change : kChanges) {
      if (change.of != (trains_ ? Of::inference : Of::training) && is_new(change)) {
        add(
            change.role, change.change, change.price,
            [&](std::size_t i) { return is_part(change.part, i) ? change.share : 1.0; },
            change.part == Part::batch && request_follows() ? change.share : 1.0, true);
      }
    }
    add_checkpointing();
    add_deletion();
    std::stable_sort(savings_.begin(), savings_.end(),
                     [](const MemorySaving& left, const MemorySaving& right) {
                       return left.saved_bytes > right.saved_bytes;
                     });
    return std::move(savings_);
  }

 private:
  using ShareOf = std::function<double(std::size_t allocation)>;

  /// The highest sum of live bytes up to the end. It includes `request_share` of the failed request.
  LivePeak peak(const std::function<std::uint64_t(std::size_t)>& size_of, double request_share) const {
    LivePeak found = live_peak(evidence_.recording, evidence_.lifetimes, size_of, last_ + 1);
    if (evidence_.failure) {
      std::uint64_t live = 0;
      for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
        live += evidence_.lifetimes[i].lives_after(*evidence_.failure) ? size_of(i) : 0;
      }
      const std::uint64_t request = evidence_.recording.events[*evidence_.failure].bytes;
      live += static_cast<std::uint64_t>(request_share * static_cast<double>(request));
      if (live > found.bytes) {
        found = {*evidence_.failure, live};
      }
    }
    return found;
  }

  bool request_follows() const {
    return evidence_.failure &&
           !stack_of(evidence_.recording, evidence_.recording.events[*evidence_.failure].origin).in_optimizer;
  }

  bool is_part(Part part, std::size_t i) const {
    switch (part) {
      case Part::batch:
        return follows_[i];
      case Part::activations:
        return evidence_.roles[i] == MemoryRole::activations;
      case Part::state:
        return evidence_.roles[i] == MemoryRole::optimizer_state;
    }
    return false;
  }

  /// The iteration in which a lifetime ends. Frees after the failed request do not count, because a program
  /// that runs out of memory frees all of its memory.
  long last_iteration(const Lifetime& lifetime) const {
    return evidence_.iterations.of(std::min<std::size_t>(lifetime.died, last_));
  }

  /// Whether a variable keeps the activation until the next iteration, but not longer.
  bool is_kept(std::size_t i) const {
    const Lifetime& lifetime = evidence_.lifetimes[i];
    const long born = evidence_.iterations.of(lifetime.born);
    return evidence_.roles[i] == MemoryRole::activations && !lifetime.resident && born >= 0 &&
           last_iteration(lifetime) == born + 1;
  }

  /// The peak if these activations were freed at the beginning of the next iteration.
  LivePeak peak_without_kept() const {
    const auto& starts = evidence_.iterations.starts;
    LivePeak found;
    std::uint64_t live = 0, kept = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i <= last_; ++i) {
      if (next < starts.size() && starts[next] == i) {
        live -= kept;
        kept = 0;
        ++next;
      }
      const MemoryEvent& event = evidence_.recording.events[i];
      if (event.kind == EventKind::out_of_memory && evidence_.failure == i) {
        live += event.bytes;
      } else if (event.kind == EventKind::allocate) {
        live += event.bytes;
        kept += is_kept(event.allocation) ? event.bytes : 0;
      } else if ((event.kind == EventKind::free || event.kind == EventKind::request_free) &&
                 evidence_.lifetimes[event.allocation].died == i && !is_kept(event.allocation)) {
        live -= evidence_.lifetimes[event.allocation].bytes;
      }
      if (live > found.bytes) {
        found = {i, live};
      }
    }
    return found;
  }

  void add_deletion() {
    std::uint64_t held = 0;
    const long now = evidence_.iterations.of(peak_.event);
    for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
      const Lifetime& lifetime = evidence_.lifetimes[i];
      held += lifetime.lives_after(peak_.event) && is_kept(i) && evidence_.iterations.of(lifetime.born) < now
                  ? lifetime.bytes
                  : 0;
    }
    if (held == 0) {
      return;
    }
    MemorySaving saving;
    saving.role = MemoryRole::activations;
    saving.change = "outputs and loss of the previous iteration deleted (del) before the next forward pass";
    saving.price = "none";
    saving.held_bytes = held;
    saving.is_simulated = true;
    finish(std::move(saving), peak_without_kept(), held);
  }

  /// Whether the program does not use the change yet. A program with autocast already stores activations in
  /// bf16.
  bool is_new(const Change& change) const {
    const auto& stacks = evidence_.recording.stacks;
    return change.part != Part::activations ||
           (std::none_of(stacks.begin(), stacks.end(),
                         [](const StackSummary& stack) { return stack.is_cast; }) &&
            std::find(evidence_.roles.begin(), evidence_.roles.end(), MemoryRole::weight_copies) ==
                evidence_.roles.end());
  }

  std::uint64_t held_at_peak(const ShareOf& share_of) const {
    std::uint64_t held = 0;
    for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
      held += evidence_.lifetimes[i].lives_after(peak_.event) && share_of(i) < 1
                  ? evidence_.lifetimes[i].bytes
                  : 0;
    }
    return held;
  }

  void add(MemoryRole role, const char* change, const char* price, const ShareOf& share_of,
           double request_share, bool is_simulated) {
    const auto size_of = [&](std::size_t i) {
      return static_cast<std::uint64_t>(share_of(i) * static_cast<double>(evidence_.lifetimes[i].bytes));
    };
    const LivePeak then = peak(size_of, request_share);
    MemorySaving saving;
    saving.role = role;
    saving.change = change;
    saving.price = price;
    saving.held_bytes = held_at_peak(share_of);
    saving.is_simulated = is_simulated;
    std::uint64_t at_peak = 0;
    for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
      at_peak +=
          evidence_.lifetimes[i].lives_after(peak_.event) ? evidence_.lifetimes[i].bytes - size_of(i) : 0;
    }
    finish(std::move(saving), then, at_peak);
  }

  /// `then`: the peak after the change. `at_peak`: the bytes that the change removes from the current peak.
  void finish(MemorySaving saving, const LivePeak& then, std::uint64_t at_peak) {
    saving.saved_bytes = peak_.bytes - std::min(peak_.bytes, then.bytes);
    if (static_cast<double>(saving.saved_bytes) < kWorthListing * static_cast<double>(peak_.bytes)) {
      return;
    }
    if (then.event != peak_.event &&
        static_cast<double>(saving.saved_bytes) < kAllOfIt * static_cast<double>(at_peak)) {
      saving.limit = fmt::format("then the peak is at event {}", then.event);
    }
    if (evidence_.failure && evidence_.allowed > 0) {
      saving.fits = then.bytes <= evidence_.allowed;
    }
    savings_.push_back(std::move(saving));
  }

  /// With a checkpoint after every sqrt(n) of n tensors, sqrt(n) checkpoints are in memory. In addition, the
  /// sqrt(n) tensors between two checkpoints are in memory (Chen et al. 2016, "Training Deep Nets with
  /// Sublinear Memory Cost").
  void add_checkpointing() {
    std::size_t blocks = 0;
    for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
      blocks += is_saved(i) && evidence_.lifetimes[i].lives_after(peak_.event) ? 1U : 0U;
    }
    const double left = blocks == 0 ? 1 : std::min(1.0, 2 / std::sqrt(static_cast<double>(blocks)));
    if (trains_ && left < 1) {
      add(
          MemoryRole::activations, "activation checkpointing", "one more forward pass, about 30 % more time",
          [&](std::size_t i) { return is_saved(i) ? left : 1.0; }, 1, false);
    }
  }

  /// Whether a forward pass made the activation and a backward pass needs it.
  bool is_saved(std::size_t i) const {
    return evidence_.roles[i] == MemoryRole::activations &&
           !stack_of(evidence_.recording, evidence_.lifetimes[i].origin).in_backward;
  }

  /// Whether the program trains: its activations wait for a backward pass, which may have been cut off. Also
  /// true if the recording has no stacks.
  bool is_training() const {
    const Recording& recording = evidence_.recording;
    if (recording.stacks.empty() || has_backward_pass(evidence_by_origin(recording), evidence_.lifetimes)) {
      return true;
    }
    double made = 0, at_peak = 0, at_end = 0;
    for (std::size_t i = 0; i < evidence_.lifetimes.size(); ++i) {
      const Lifetime& lifetime = evidence_.lifetimes[i];
      if (evidence_.roles[i] != MemoryRole::activations || lifetime.resident || lifetime.born > peak_.event) {
        continue;
      }
      const auto bytes = static_cast<double>(lifetime.bytes);
      made += bytes;
      at_peak += lifetime.lives_after(peak_.event) ? bytes : 0;
      at_end += lifetime.lives_after(peak_.event) && lifetime.lives_after(last_) ? bytes : 0;
    }
    return at_peak >= kKeptForBackward * made && at_end >= kKeptToTheEnd * at_peak;
  }

  const SavingsEvidence& evidence_;
  std::vector<bool> follows_;
  std::size_t last_;
  LivePeak peak_;
  bool trains_;
  std::vector<MemorySaving> savings_;
};

}  // namespace

std::vector<MemorySaving> savings_of(const SavingsEvidence& evidence) { return Savings(evidence).run(); }

}  // namespace molgauge::allocator
