#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "base/options/option.h"
#include "molgauge/benchmark_draw.h"
#include "molgauge/conformers.h"
#include "molgauge/types.h"

/// Rows that several option tables share. Only the sources of the tables include this header.
namespace molgauge::options {

/// Concatenates arrays of rows.
template <std::size_t... counts>
constexpr auto joined(const std::array<Option, counts>&... groups) {
  std::array<Option, (counts + ...)> all;
  auto* next = all.data();
  const auto append = [&](const auto& group) {
    for (const Option& option : group) {
      *next++ = option;
    }
  };
  (append(groups), ...);
  return all;
}

using Conditions = std::array<Condition, 2>;

/// Returns the path of a folder in $MOLGAUGE_HOME, or an empty text if the home folder is unknown.
std::string folder_in_home(const char* name);

inline constexpr char kStoreFolder[] = "store", kWeightsFolder[] = "weights";

/// The default path of a store or weights option, for FileUse::otherwise.
template <const char* name>
std::string in_home(const void* /*request*/) {
  return folder_in_home(name);
}

/// The argument MOLECULES of verbs that read molecules.
template <typename R>
constexpr Option molecules_row() {
  return {
      .name = "MOLECULES",
      .field = field<R, &R::molecules>,
      .help =
          "Molecules: .csv, .xlsx, .smi, .sdf, .json or .jsonl, optionally compressed, or - for SMILES on "
          "stdin, one per line, then a space and a name",
      .is_required = true,
      .is_in_plan = true,
      .files = {.does = FileUse::Does::reads}};
}

template <typename R>
constexpr Option smiles_column_row() {
  return {.name = "smiles-column",
          .field = field<R, &R::smiles_column>,
          .group = Group::input,
          .help = "SMILES column of a .csv or .tsv",
          .is_common = true,
          .is_in_plan = true};
}

template <typename R>
constexpr Option encoder_row(const ConfigKey& config = {}) {
  return {.name = "encoder",
          .field = field<R, &R::encoder>,
          .group = Group::encoder,
          .help = "Encoder. The list is below",
          .is_common = true,
          .is_in_plan = true,
          .config = config};
}

template <typename R>
constexpr Option features_row(const ConfigKey& config = {}) {
  return {.name = "features",
          .field = field<R, &R::features>,
          .group = Group::encoder,
          .help = "native (encode the molecules) or imported:NAME (rows from store import)",
          .config = config};
}

template <typename R>
constexpr Option strict_row(const ConfigKey& config = {}) {
  return {.name = "strict",
          .field = field<R, &R::strict>,
          .group = Group::input,
          .help = "Stop at the first invalid record",
          .config = config};
}

/// `needs`: the option that makes the verb write a CSV file. Empty if the verb always writes one.
template <typename R>
constexpr Option spreadsheet_row(const Names& needs = {}) {
  return {.name = "spreadsheet-safe",
          .field = field<R, &R::spreadsheet_safe>,
          .group = Group::output,
          .help =
              "In CSV, put an apostrophe before text that a spreadsheet reads as a formula (text that starts "
              "with =, +, -, @, a tab or a return)",
          .needs = needs};
}

template <typename R>
constexpr Option workbook_row() {
  return {.name = "workbook",
          .field = field<R, &R::workbook>,
          .group = Group::output,
          .help = "Also write the table as an Excel workbook (.xlsx)",
          .files = {.does = FileUse::Does::writes}};
}

template <typename R>
constexpr Option sdf_row() {
  return {.name = "sdf",
          .field = field<R, &R::sdf>,
          .group = Group::output,
          .help = "Also write the molecules with all columns as an .sdf. SMILES are laid out in 2D",
          .is_in_plan = true,
          .files = {.does = FileUse::Does::writes}};
}

template <typename R>
constexpr Option describe_row() {
  return {.name = "describe",
          .field = field<R, &R::describe>,
          .group = Group::output,
          .help =
              "Add columns with the weight, log P, polar surface, hydrogen bonds, rings, drug-likeness, "
              "rule of five and structural alerts (PAINS, BRENK, NIH) of each molecule",
          .is_common = true,
          .is_in_plan = true};
}

template <typename R, auto... path>
constexpr Option threads_row() {
  return {.name = "threads",
          .field = field<R, path...>,
          .group = Group::memory,
          .help = "CPU threads. 0 selects all available processors",
          .is_common = true,
          .is_in_plan = true,
          .range = kThreads};
}

/// Folders in $MOLGAUGE_HOME.
template <typename R>
constexpr Option store_row() {
  return {
      .name = "store",
      .field = field<R, &R::store>,
      .group = Group::encoder,
      .help = "Folder of the feature store [$MOLGAUGE_HOME/store]",
      .files = {
          .does = FileUse::Does::writes, .folder = FolderKind::shared, .otherwise = in_home<kStoreFolder>}};
}

template <typename R>
constexpr Option weights_row() {
  return {
      .name = "weights",
      .field = field<R, &R::weights>,
      .group = Group::encoder,
      .help = "Folder of the installed weights [$MOLGAUGE_HOME/weights]",
      .is_common = true,
      .is_in_plan = true,
      .files = {
          .does = FileUse::Does::reads, .folder = FolderKind::shared, .otherwise = in_home<kWeightsFolder>}};
}

template <typename R>
constexpr Option precision_row(const ConfigKey& config = {}) {
  return {
      .name = "precision",
      .field = field<R, &R::compute, &ComputeOptions::precision>,
      .group = Group::encoder,
      .help =
          "Precision of the encoder: fp32, bf16, int8 (CPU only), tf32 (GPU only) or fast (the fastest on "
          "this machine) [the precision of the run, or fp32]",
      .is_in_plan = true,
      .config = config};
}

template <typename R>
constexpr Option random_weights_row(const ConfigKey& config = {}) {
  return {.name = "random-weights",
          .field = field<R, &R::compute, &ComputeOptions::random_weights>,
          .group = Group::encoder,
          .help = "Accept random weights from molgauge weights init, for tests and benchmarks",
          .config = config};
}

/// The condition that the encoder needs conformers.
constexpr Condition kThreeD = {.option = "encoder", .values = {"unimol"}};

template <typename R, auto... path>
constexpr Option conformer_fallback_row(std::string_view help, const ConfigKey& config = {}) {
  return {.name = "conformer-fallback",
          .field = field<R, path...>,
          .group = Group::conformers,
          .help = help,
          .is_common = true,
          .config = config};
}

template <typename R, auto... path>
constexpr Option conformer_engine_row(std::string_view help, const ConfigKey& config = {}) {
  return {.name = "conformer-engine",
          .field = field<R, path...>,
          .group = Group::conformers,
          .help = help,
          .is_common = true,
          .config = config};
}

template <typename R, auto... path>
constexpr Option conformer_deadline_row(std::string_view help) {
  return {.name = "conformer-deadline",
          .field = field<R, path...>,
          .group = Group::conformers,
          .help = help,
          .is_common = true,
          .range = above(0, 86'400),
          .unit = "seconds"};
}

/// The deadline of an encoder that needs conformers. Verbs that apply a run have only this conformer option.
/// All other verbs have all conformer options (placement_rows()).
template <typename R, auto... path>
constexpr Option encoders_deadline_row() {
  Option row = conformer_deadline_row<R, path...>(
      "3D encoders: time limit for the conformer of a molecule. A slower molecule fails and the others "
      "continue [60]");
  row.shown_with = kThreeD;
  return row;
}

/// The conformer options of encoders that need 3D coordinates. `R` must have a PlacementOptions. `in_config`:
/// whether the verb writes config.json. If it does, the options that affect features have keys in
/// config.json. They are then not common options, because such a verb has many options.
template <typename R>
constexpr auto placement_rows(bool in_config = false) {
  using P = PlacementOptions;
  const auto key = [&](std::string_view name) {
    return in_config ? ConfigKey{.name = name, .may_be_missing = true} : ConfigKey{};
  };
  Option fallback = conformer_fallback_row<R, &R::placement, &P::conformer_fallback>(
      "3D encoders: if 3D embedding fails, use 2D coordinates (2d) or reject the molecule (fail) [2d]",
      key("conformer_fallback"));
  Option engine = conformer_engine_row<R, &R::placement, &P::conformer_engine>(
      "3D encoders: generate conformers with RDKit (exact) or with a vectorised engine that is several times "
      "as fast (fast) [exact]",
      key("conformer_engine"));
  Option deadline = encoders_deadline_row<R, &R::placement, &P::conformer_deadline>();
  fallback.is_common = engine.is_common = deadline.is_common = !in_config;
  fallback.shown_with = engine.shown_with = kThreeD;
  return std::array{fallback, engine, deadline,
                    Option{.name = "max-atoms",
                           .field = field<R, &R::placement, &P::max_atoms>,
                           .group = Group::conformers,
                           .help = "3D encoders: maximum number of atoms. A fixed random sample represents a "
                                   "larger molecule [256 for unimol, as in its training]",
                           .shown_with = kThreeD,
                           .is_in_plan = true,
                           .range = whole(1, 2'000),
                           .unit = "atoms",
                           .config = key("max_atoms")}};
}

template <typename R>
constexpr Option device_row() {
  return {.name = "device",
          .field = field<R, &R::compute, &ComputeOptions::device>,
          .group = Group::memory,
          .help = "Device: auto, cpu, cuda or cuda:N",
          .is_common = true};
}

template <typename R>
constexpr Option memory_budget_row() {
  return {.name = "memory-budget",
          .field = field<R, &R::compute, &ComputeOptions::memory_budget>,
          .group = Group::memory,
          .help =
              "Memory limit, for example 20GiB or 80% of free memory. It applies to the process on a CPU and "
              "to the device on a GPU [95%]",
          .is_common = true,
          .is_in_plan = true};
}

/// `decided`: the options that cannot be combined with --conservative, because it determines their values.
template <typename R, auto... path>
constexpr Option conservative_row(const Names& decided) {
  return {.name = "conservative",
          .field = field<R, path...>,
          .group = Group::memory,
          .help =
              "Use the least memory: one worker, the smallest batches, nothing computed ahead of time, and "
              "fp32 unless the run has another precision. Slower, with the same results",
          .is_in_plan = true,
          .excludes = decided};
}

/// The options for the device and the resources of a computation. --precision is not among them.
template <typename R>
constexpr auto compute_rows(const Names& decided_by_conservative = {"threads", "precision"}) {
  using C = ComputeOptions;
  return std::array{
      device_row<R>(),
      threads_row<R, &R::compute, &C::threads>(),
      memory_budget_row<R>(),
      conservative_row<R, &R::compute, &C::conservative>(decided_by_conservative),
      Option{.name = "host-memory-budget",
             .field = field<R, &R::compute, &C::host_memory_budget>,
             .group = Group::memory,
             .help = "On a GPU: limit for the host memory of the process, for example 20GiB or 80% [95%]"},
      Option{.name = "cuda-allocator",
             .field = field<R, &R::compute, &C::cuda_allocator>,
             .group = Group::memory,
             .help = "On a GPU: settings of the caching allocator, for example "
                     "expandable_segments:True,max_split_size_mb:128 [PYTORCH_CUDA_ALLOC_CONF, or the "
                     "defaults of LibTorch]"},
      Option{.name = "memory-trace",
             .field = field<R, &R::compute, &C::memory_trace>,
             .group = Group::memory,
             .help = "Record every tensor allocation in this file, for molgauge memory simulate and explain",
             .files = {.does = FileUse::Does::writes}},
      Option{.name = "memory-trace-ring",
             .field = field<R, &R::compute, &C::memory_trace_ring>,
             .group = Group::memory,
             .help = "Approximate number of latest trace events to keep and to write at the end. 0 keeps all",
             .range = whole(0, 1'000'000'000),
             .unit = "events",
             .needs = {"memory-trace"}}};
}

/// compute_rows() of the pocket encoder.
template <typename R>
constexpr auto pocket_compute_rows(const Names& decided_by_conservative) {
  auto rows = compute_rows<R>(decided_by_conservative);
  rows[0].help =
      "Device: auto, cpu, cuda or cuda:N. auto selects the CPU, because small pockets do not fill a GPU";
  return rows;
}

// The options that choose the molecules drawn from a benchmark. `R` has the fields of a BenchmarkDraw.

/// The memory of a graphics card.
template <typename R>
constexpr Option capacity_row(std::string_view help) {
  return {.name = "capacity",
          .field = field<R, &R::capacity_bytes>,
          .group = Group::allocator,
          .help = help,
          .is_common = true,
          .range = whole(1, std::numeric_limits<std::int64_t>::max()),
          .unit = kBytes};
}

}  // namespace molgauge::options
