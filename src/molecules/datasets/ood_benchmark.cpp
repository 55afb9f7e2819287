#include "molecules/datasets/ood_benchmark.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/random/numpy_random.h"
#include "base/core/session/log.h"
#include "molecules/datasets/benchmark_sides.h"
#include "molecules/datasets/class_labels.h"

namespace molgauge::datasets {
namespace {

/// Number of molecules for each side. 0 means all.
struct TargetSizes {
  std::size_t train, val, test;
};

TargetSizes target_sizes(BenchmarkKind kind, const OodSelection& selection) {
  const TargetSizes full =
      kind == BenchmarkKind::good ? TargetSizes{5000, 1500, 2000} : TargetSizes{2000, 600, 1000};
  if (selection.debug_size == 0) {
    return {selection.train_size.value_or(full.train), selection.val_size.value_or(full.val),
            selection.test_size.value_or(full.test)};
  }
  if (selection.train_size || selection.val_size || selection.test_size) {
    throw UsageError(
        "--debug-dataset-size sets the sizes of all parts. Leave out either this option or --train-size, "
        "--val-size and --test-size");
  }
  const double share = static_cast<double>(selection.debug_size) / static_cast<double>(full.train);
  const auto scaled = [&](std::size_t size) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(size) * share));
  };
  return {scaled(full.train), scaled(full.val), scaled(full.test)};
}

/// Throws if the held-out seed has no effect. It is used only for files of DrugOOD, and only if molecules are
/// held out or cut.
void refuse_unused_seed(BenchmarkKind kind, const OodSelection& selection, const BenchmarkParts& parts,
                        const std::string& file) {
  const bool used = kind == BenchmarkKind::drugood && (parts.iid_val.empty() || selection.debug_size > 0);
  if (selection.held_out_seed != 0 && !used) {
    throw UsageError("--held-out-seed has no effect on " + file + ": " +
                     (kind == BenchmarkKind::good ? "it belongs to data sets of the type drugood"
                                                  : "it has iid_val, and no debug size is given"));
  }
}

void draw(const OodSide& side, std::size_t wanted, std::uint64_t seed, const std::string& file) {
  const std::size_t there = side.molecules.size();
  if (there == 0) {
    throw InputError(
        fmt::format("{}: no molecules for {}. The file needs molecules in train, iid_test, ood_test and at "
                    "least five in ood_val",
                    file, side.name()));
  }
  const std::size_t count = wanted == 0 ? there : std::min(wanted, there);
  std::vector<BenchmarkMolecule> drawn;
  drawn.reserve(count);
  for (const std::size_t position : NumpyRandom(seed).choose(there, count)) {
    drawn.push_back(std::move(side.molecules[position]));
  }
  side.molecules = std::move(drawn);
}

/// Logs one line for all sides that have fewer molecules than requested. This is common, because most
/// benchmarks have fewer molecules than the defaults. All molecules of such a side are taken.
void tell_of_short_sides(std::span<const OodSide> sides, const BySide<std::size_t>& wanted,
                         const std::string& file) {
  std::vector<std::string> shorter;
  for (const OodSide& side : sides) {
    const std::size_t there = side.molecules.size();
    if (there < wanted[side.side]) {
      shorter.push_back(fmt::format("{} {} of {}", side.name(), there, wanted[side.side]));
    }
  }
  if (!shorter.empty()) {
    log_info("{}: has fewer molecules than requested and uses all of them: {}", file,
             fmt::join(shorter, ", "));
  }
}

/// Converts values to classes, like the published loader for GOOD.
void label_at_training_median(OodBenchmark& benchmark) {
  std::vector<double> values;
  for (const auto& molecule : benchmark.train_id) {
    values.push_back(molecule.value);
  }
  if (are_classes(values)) {
    return;
  }
  const double threshold = upper_median(std::move(values));
  for (const OodSide& side : sides_of(benchmark)) {
    for (auto& molecule : side.molecules) {
      molecule.label = molecule.value >= threshold ? 1 : 0;
    }
  }
}

}  // namespace

OodBenchmark select_ood_benchmark(BenchmarkParts parts, const OodSelection& selection,
                                  const std::string& file, const MoleculeCheck& check) {
  const BenchmarkKind kind = selection.kind.value_or(BenchmarkKind::drugood);
  const TargetSizes sizes = target_sizes(kind, selection);
  refuse_unused_seed(kind, selection, parts, file);
  OodBenchmark benchmark = kind == BenchmarkKind::good
                               ? good_sides(std::move(parts), selection)
                               : drugood_sides(std::move(parts), selection, file, check);
  BySide<std::size_t> wanted;
  wanted[Side::train_id] = wanted[Side::train_ood] = sizes.train;
  wanted[Side::val_id] = wanted[Side::val_ood] = sizes.val;
  wanted[Side::test_id] = wanted[Side::test_ood] = sizes.test;
  const auto sides = sides_of(benchmark);
  tell_of_short_sides(sides, wanted, file);
  for (const OodSide& side : sides) {
    draw(side, wanted[side.side], selection.data_seed + seed_offset(side.side), file);
  }
  if (kind == BenchmarkKind::good) {
    label_at_training_median(benchmark);
  }
  return benchmark;
}

}  // namespace molgauge::datasets
