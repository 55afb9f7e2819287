// Options of `molgauge experiment`, and the options in [matrix] that draw molecules from a benchmark.

#include "base/options/run_rows.h"
#include "base/options/tables.h"

namespace molgauge::options {
namespace {

using X = ExperimentRequest;

constexpr auto kExperiment = joined(
    std::array{
        Option{.name = "SPEC",
               .field = field<X, &X::spec>,
               .help = "Specification in TOML (see docs/reference/formats.md and the examples in specs/)",
               .is_required = true,
               .files = {.does = FileUse::Does::reads, .may_lie_in_output = true}},
        Option{.name = "out",
               .field = field<X, &X::out>,
               .group = Group::output,
               .help = "Folder of the matrix. Finished runs are kept",
               .is_common = true,
               .is_required = true,
               .files = {.does = FileUse::Does::writes, .folder = FolderKind::matrix}},
        Option{.name = "data-path",
               .field = field<X, &X::data_path>,
               .group = Group::input,
               .help = "Folder of the files in the specification [the folder of SPEC]",
               .is_common = true,
               .files = {.does = FileUse::Does::looks_up}},
        Option{.name = "jobs",
               .field = field<X, &X::jobs>,
               .group = Group::memory,
               .help = "Parallel runs. 0 starts one per thread",
               .is_common = true,
               .range = kThreads},
        Option{.name = "plan-only",
               .field = field<X, &X::plan_only>,
               .group = Group::input,
               .help = "Check the specification and count its runs, without running them",
               .is_common = true},
        store_row<X>(), weights_row<X>(), spreadsheet_row<X>(), precision_row<X>(), random_weights_row<X>()},
    placement_rows<X>(), compute_rows<X>({"threads", "precision", "jobs"}));

using D = BenchmarkDraw;

constexpr auto kDraw = joined(std::array{data_seed_row<D>(), dataset_type_row<D>()}, size_rows<D>(),
                              std::array{allow_overlap_row<D>()});

}  // namespace

template <>
std::span<const Option> table<ExperimentRequest>() {
  return kExperiment;
}

template <>
std::span<const Option> table<BenchmarkDraw>() {
  return kDraw;
}

}  // namespace molgauge::options
