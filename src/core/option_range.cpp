#include "core/option_range.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "core/error.h"

namespace headroom {
namespace {

constexpr std::uint64_t kMostMolecules = 1'000'000'000, kMostInABatch = 10'000'000, kMostRounds = 1'000'000;
constexpr std::uint64_t kMostWidth = 65'536, kMostThreads = 1'024;
constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

constexpr NumericRange whole(std::string_view name, std::uint64_t least, std::uint64_t most) {
  return {.name = name, .kind = NumericRange::Kind::whole, .least = least, .most = most};
}

constexpr NumericRange real(std::string_view name, double lowest, double highest) {
  return {.name = name, .kind = NumericRange::Kind::real, .lowest = lowest, .highest = highest};
}

constexpr NumericRange above(std::string_view name, double lowest, double highest) {
  NumericRange range = real(name, lowest, highest);
  range.takes_lowest = false;
  return range;
}

constexpr NumericRange inside(std::string_view name, double lowest, double highest) {
  NumericRange range = above(name, lowest, highest);
  range.takes_highest = false;
  return range;
}

constexpr NumericRange below(std::string_view name, double lowest, double highest) {
  NumericRange range = real(name, lowest, highest);
  range.takes_highest = false;
  return range;
}

constexpr std::array kRanges = {
    // Where and how.
    whole("threads", 0, kMostThreads), whole("jobs", 0, kMostThreads), whole("device", 0, 1'023),
    whole("memory-trace-ring", 0, 1'000'000'000), real("every", 0.05, 3'600),
    // Which molecules.
    whole("seed", 0, kAnySeed), whole("data-seed", 0, kAnySeed), whole("held-out-seed", 0, kAnySeed),
    whole("train-size", 0, kMostMolecules), whole("val-size", 0, kMostMolecules),
    whole("test-size", 0, kMostMolecules), whole("test-sample", 0, kMostMolecules),
    whole("debug-dataset-size", 0, kMostMolecules),
    // Atoms in space.
    above("conformer-deadline", 0, 86'400), whole("max-atoms", 1, 100'000),
    // Batches and steps.
    whole("batch-atoms", 0, 100'000'000), whole("batch-size", 1, kMostInABatch),
    whole("eval-batch-size", 1, kMostInABatch), whole("epochs", 1, kMostRounds),
    whole("patience", 1, kMostRounds), whole("eval-steps", 0, 1'000'000'000),
    whole("gradient-accumulation", 1, kMostInABatch),
    // Models and their optimisers.
    whole("hidden-dim", 2, kMostWidth), whole("hidden-channels", 1, kMostWidth), whole("num-layers", 2, 100),
    below("dropout", 0, 1), above("lr", 0, 1'000), real("weight-decay", 0, 1'000), real("grad-clip", 0, 1e9),
    // Losses.
    above("dpo-beta", 0, 1e6), real("hinge-margin", -1e6, 1e6), real("hinge-topk", 0, 1),
    real("lambda-reg", 0, 1e6), above("dam-lr", 0, 1'000), above("dam-margin", 0, 1e6),
    // Detectors and decisions.
    above("odin-temperature", 0, 1e6), real("odin-noise", 0, 1e6), whole("knn-k", 1, kMostMolecules),
    whole("lof-neighbors", 1, kMostMolecules), whole("mc-dropout-samples", 1, kMostRounds),
    real("threshold", -1e30, 1e30), inside("id-recall", 0, 1), above("ood-similarity", 0, 1),
    whole("seeds", 1, 1'000), above("level", 0, 0.5), above("borderline-level", 0, 0.5),
    whole("page-rows", 0, 1'000'000)};

template <typename Value>
void require(std::string_view option, Value value) {
  const auto range = option_range(option);
  if (!range) {
    throw std::logic_error(fmt::format("the option {} has no range", option));
  }
  if (!range->holds(value)) {
    throw UsageError(fmt::format("{}: {} is refused; it takes {}", option, value, range->words()));
  }
}

}  // namespace

bool NumericRange::holds(std::uint64_t value) const {
  return kind == Kind::whole ? value >= least && value <= most : holds(static_cast<double>(value));
}

bool NumericRange::holds(double value) const {
  return kind == Kind::real && (takes_lowest ? value >= lowest : value > lowest) &&
         (takes_highest ? value <= highest : value < highest);
}

std::string NumericRange::interval() const {
  return kind == Kind::whole ? fmt::format("[{}..{}]", least, most)
                             : fmt::format("{}{}..{}{}", takes_lowest ? '[' : '(', lowest, highest,
                                           takes_highest ? ']' : ')');
}

std::string NumericRange::words() const {
  if (kind == Kind::whole) {
    return fmt::format("a whole number from {} to {}", least, most);
  }
  return fmt::format("a number {} {} and {} {}", takes_lowest ? "not below" : "above", lowest,
                     takes_highest ? "at most" : "below", highest);
}

std::span<const NumericRange> option_ranges() { return kRanges; }

std::optional<NumericRange> option_range(std::string_view option) {
  const auto* const found = std::find_if(kRanges.begin(), kRanges.end(),
                                         [&](const NumericRange& range) { return range.name == option; });
  return found == kRanges.end() ? std::nullopt : std::optional(*found);
}

void require_in_range(std::string_view option, std::uint64_t value) { require(option, value); }

void require_in_range(std::string_view option, double value) { require(option, value); }

}  // namespace headroom
